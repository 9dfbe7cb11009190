
"use strict";
// Cells and cases that fit the text, the clause and a status that is ticked are shown.
const text = document.getElementById("text");
const clause = document.getElementById("clause");
const boxes = [...document.querySelectorAll("#statuses input")];
const cases = [...document.querySelectorAll("#cases details")];
const words = new Map(cases.map((one) => [one.id, one.textContent.toLowerCase()]));

function apply() {
  const wanted = text.value.trim().toLowerCase();
  const prefix = clause.value.trim().toUpperCase();
  const statuses = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const fits = (name) => (prefix.endsWith("-") ? name.startsWith(prefix) : name === prefix);
  const shown = new Set();
  for (const one of cases) {
    const clauses = one.dataset.clauses.split(" ");
    const fit =
      statuses.has(one.dataset.status) &&
      words.get(one.id).includes(wanted) &&
      (prefix === "" || clauses.some(fits));
    one.hidden = !fit;
    if (fit) shown.add(one.id);
  }
  for (const row of document.querySelectorAll("#matrix tr")) {
    const name = row.querySelector("th").textContent;
    let any = false;
    for (const cell of row.querySelectorAll("a")) {
      cell.hidden = !shown.has(cell.hash.slice(1));
      any = any || !cell.hidden;
    }
    row.hidden = !any || (prefix !== "" && !fits(name));
  }
  document.getElementById("shown").textContent = `${shown.size} of ${cases.length} shown`;
}

function open() {
  const chosen = document.getElementById(location.hash.slice(1));
  if (chosen instanceof HTMLDetailsElement) {
    chosen.hidden = false;
    chosen.open = true;
    chosen.scrollIntoView();
  }
}

document.getElementById("filter").addEventListener("input", apply);
document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", open);
apply();
open();
