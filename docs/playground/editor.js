// The editor: a textarea with line numbers beside it, where lines can be marked.

const INDENT = /^[ \t]*/;

export function makeEditor(area, numbers) {
  let marks = new Map(); // what is wrong with a line, by its number

  function draw() {
    const count = area.value.split("\n").length;
    const rows = [];
    for (let line = 1; line <= count; line += 1) {
      const row = document.createElement("div");
      row.textContent = line;
      if (marks.has(line)) row.className = marks.get(line);
      rows.push(row);
    }
    numbers.replaceChildren(...rows);
    numbers.scrollTop = area.scrollTop;
  }

  // Where a line begins and ends in the text.
  function range(line) {
    const before = area.value.split("\n").slice(0, line - 1);
    const start = before.reduce((sum, text) => sum + text.length + 1, 0);
    const end = area.value.indexOf("\n", start);
    return [start, end < 0 ? area.value.length : end];
  }

  function reveal(line) {
    const height = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 3);
  }

  function changed() {
    marks = new Map();
    area.removeAttribute("aria-invalid");
    draw();
  }

  area.addEventListener("input", changed);
  area.addEventListener("scroll", () => {
    numbers.scrollTop = area.scrollTop;
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    const indent = INDENT.exec(line)[0];
    if (!indent) return;
    event.preventDefault();
    document.execCommand("insertText", false, `\n${indent}`); // the one way that can be undone
  });

  return {
    get text() {
      return area.value;
    },
    set text(value) {
      area.value = value;
      area.scrollTop = 0;
      changed();
    },
    // Marks lines: pairs of a number and "error" or "warning", the first of which is shown.
    mark(found) {
      marks = new Map([...found].reverse());
      area.toggleAttribute("aria-invalid", found.some(([, kind]) => kind === "error"));
      draw();
      if (found.length) reveal(found[0][0]);
    },
    select(line) {
      area.focus();
      area.setSelectionRange(...range(line));
      reveal(line);
    },
  };
}
