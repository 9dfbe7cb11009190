// Runs the script of a conformance report's page without a browser, in a document of the few parts
// that it uses. Prints as JSON the clauses and cases that are shown after the filter is set.
//
//   node page_in_node.mjs PAGE TEXT CLAUSE STATUSES [CASE]     CASE: the one the address names

import { readFileSync } from "node:fs";
import vm from "node:vm";

const [file, text, clause, statuses, named = ""] = process.argv.slice(2);
const page = readFileSync(file, "utf8");
const [, script] = /<script>(.*?)<\/script>/s.exec(page);
const all = (pattern, from = page) => [...from.matchAll(pattern)];

class HTMLDetailsElement {}
const listening = () => ({ addEventListener() {} });
const boxes = all(/<input type="checkbox" value="(\w+)" checked>/g).map(([, value]) => ({
  value, checked: statuses === "" || statuses.split(",").includes(value),
}));
const details = /<details id="([^"]*)" data-status="(\w+)" data-clauses="([^"]*)">(.*?)<\/details>/gs;
const cases = all(details).map(([, id, status, names, textContent]) =>
  Object.assign(new HTMLDetailsElement(), {
    id, textContent, dataset: { status, clauses: names }, hidden: false, open: false, scrollIntoView() {},
  }));
const rows = all(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g).map(([, name, rest]) => {
  const cells = all(/href="(#[^"]*)"/g, rest).map(([, hash]) => ({ hash, hidden: false }));
  return { name, cells, hidden: false, querySelector: () => ({ textContent: name }), querySelectorAll: () => cells };
});
const parts = {
  text: { value: text }, clause: { value: clause }, shown: {}, filter: listening(),
  ...Object.fromEntries(cases.map((one) => [one.id, one])),
};
const lists = { "#statuses input": boxes, "#cases details": cases, "#matrix tr": rows };
vm.runInNewContext(script, {
  HTMLDetailsElement, location: { hash: named && `#${named}` }, window: listening(),
  document: { getElementById: (id) => parts[id] ?? null, querySelectorAll: (query) => lists[query] },
});
console.log(JSON.stringify({
  clauses: rows.filter((row) => !row.hidden).map((row) => row.name),
  cells: rows.map((row) => row.cells.filter((cell) => !cell.hidden).length),
  cases: cases.filter((one) => !one.hidden).map((one) => one.id),
  open: cases.filter((one) => one.open).map((one) => one.id),
  shown: parts.shown.textContent,
}));
