// Makes elements. Text is always text: nothing of a model is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes; `on*` are listeners, `data` and `style` are maps. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    } else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Puts `children` in place of all that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

export const byId = (id) => document.getElementById(id);

/** `3 steps`, `1 step`. */
export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The name of a file without its folders. */
export const baseName = (file) => file.split("/").pop();

/**
 * Lets the arrow keys move the focus among `elements`, of which only one is a stop of Tab.
 * A function that says which one that is.
 */
export function roving(elements, onmove = () => {}) {
  const stop = (chosen) => elements.forEach((each) => (each.tabIndex = each === chosen ? 0 : -1));
  elements.forEach((element, n) => {
    element.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const to = { Home: 0, End: elements.length - 1 }[event.key];
      if (by === undefined && to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const next = elements[to ?? (n + by + elements.length) % elements.length];
      stop(next);
      next.focus();
      onmove(next);
    });
  });
  stop(elements[0]);
  return stop;
}
