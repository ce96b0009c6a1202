// Light or dark, as the system has it. In place of the theme's file, which needs highlight.js.

const dark = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  document.documentElement.setAttribute("data-bs-theme", dark.matches ? "dark" : "light");
}

dark.addEventListener("change", follow);
follow();
