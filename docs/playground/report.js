// The report: what a terminal would show, with places of the model to click at.

const COLOUR = /\x1b\[([0-9;]*)m/;
const PLACE = /(model\.pml:\d+)/;
const MARK = /^model\.pml:(\d+):\d+: (error|warning)/gm;

// The lines that errors and warnings are about, each with which of them.
export function marked(text) {
  const plain = text.replace(new RegExp(COLOUR, "g"), "");
  return [...plain.matchAll(MARK)].map((found) => [Number(found[1]), found[2]]);
}

function piece(text, codes, select) {
  const span = document.createElement("span");
  span.className = codes;
  for (const part of text.split(PLACE)) {
    if (PLACE.test(part)) {
      const place = document.createElement("button");
      place.type = "button";
      place.textContent = part;
      place.addEventListener("click", () => select(Number(part.split(":")[1])));
      span.append(place);
    } else {
      span.append(part);
    }
  }
  return span;
}

// Shows a text with the codes of a terminal; `select` is called with a line that was clicked.
export function show(element, text, select) {
  const parts = text.split(COLOUR); // texts, and codes in between
  const shown = [];
  let codes = "";
  parts.forEach((part, at) => {
    if (at % 2) {
      codes = part.split(";").filter((code) => code !== "" && code !== "0").map((code) => `code-${code}`).join(" ");
    } else if (part) {
      shown.push(piece(part, codes, select));
    }
  });
  element.replaceChildren(...shown);
  element.scrollTop = 0;
}
