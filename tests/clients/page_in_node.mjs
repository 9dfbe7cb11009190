// Runs a replay's page without a browser: its own script on its own data, in a document of the few
// parts that the script uses. Prints as JSON the state after each step, and what a reader sees
// after each of the keys and choices given.
//
//   node page_in_node.mjs PAGE ACTION...   an ACTION is key:NAME, view:NAME or click:STEP

import { readFileSync } from "node:fs";
import vm from "node:vm";

const [file, ...actions] = process.argv.slice(2);
const page = readFileSync(file, "utf8");
const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page);
const [, script] = /<script>(.*?)<\/script>/s.exec(page);
const direction = /<html lang="[^"]*" dir="(\w+)">/.exec(page)[1];

class Node {
  constructor(name) {
    this.tagName = name.toUpperCase();
    this.attributes = new Map();
    this.children = [];
    this.listeners = new Map();
    this.text = "";
    this.value = "";
    this.disabled = false;
    this.clientHeight = 100;
    this.offsetTop = 0;
    this.scrollTop = 0;
  }
  setAttribute(name, value) {
    if (typeof value !== "string") throw new TypeError(`${name} is set to no text`);
    this.attributes.set(name, value);
    if (name === "id") byId.set(value, this);
    if (name === "value") this.value = value;
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  append(...children) {
    for (const child of children) this.children.push(child);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  addEventListener(name, listener) {
    this.listeners.set(name, listener);
  }
  set textContent(text) {
    this.text = text;
  }
  get textContent() {
    return this.text + this.children.map((one) => (typeof one === "string" ? one : one.textContent)).join("");
  }
  *all() {
    yield this;
    for (const child of this.children) if (typeof child !== "string") yield* child.all();
  }
}

const byId = new Map();
for (const id of ["board", "sides", "now", "controls", "choice", "happened", "lines", "keys", "place", "data"]) {
  new Node("div").setAttribute("id", id);
}
byId.get("data").textContent = data;
const root = new Node("html");
root.setAttribute("dir", direction);
const document = {
  documentElement: root,
  listeners: new Map(),
  getElementById: (id) => byId.get(id) ?? null,
  createElement: (name) => new Node(name),
  createElementNS: (_, name) => new Node(name),
  addEventListener(name, listener) {
    this.listeners.set(name, listener);
  },
};
let ticking = null;
const context = vm.createContext({
  document,
  window: { location: { hash: "" }, addEventListener: () => {} },
  setInterval: (tick) => {
    ticking = tick;
    return 1;
  },
  clearInterval: () => {
    ticking = null;
  },
});
vm.runInContext(script, context);

const drawn = (node) =>
  [...node.all()].filter((one) => one.tagName === "USE").map((one) => one.getAttribute("href").slice(3));

function look() {
  const seats = [...byId.get("board").all()].filter((one) => /^seat /.test(one.getAttribute("class") ?? ""));
  const felt = [...byId.get("board").all()].find((one) => one.getAttribute("class") === "felt");
  return {
    now: byId.get("now").textContent,
    place: byId.get("place").textContent,
    table: drawn(felt.children[1]),
    turn: drawn(felt.children[2]),
    felt: felt.textContent,
    debts: byId.get("sides").children.slice(1).map((one) => one.textContent),
    seats: seats.map((one) => ({ class: one.getAttribute("class"), title: one.children[0].textContent, cards: drawn(one) })),
    sides: [...byId.get("sides").all()].filter((one) => one.tagName === "TR").map((row) => row.children.map((cell) => cell.textContent)),
    marked: [...byId.get("lines").all()].filter((one) => one.getAttribute("aria-current")).map((one) => one.textContent),
    timeline: [byId.get("timeline").value, byId.get("timeline").getAttribute("max"), byId.get("timeline").getAttribute("aria-valuetext")],
    playing: ticking !== null,
  };
}

const seen = [look()];
for (const action of actions) {
  const [what, name] = [action.slice(0, action.indexOf(":")), action.slice(action.indexOf(":") + 1)];
  if (what === "key") {
    document.listeners.get("keydown")({ key: name, target: { tagName: "BODY" }, preventDefault: () => {} });
  } else if (what === "view") {
    byId.get("view").value = name;
    byId.get("view").listeners.get("change")();
  } else if (what === "click") {
    const button = [...byId.get("lines").all()].find((one) => one.getAttribute("data-step") === name);
    button.listeners.get("click")();
  } else if (what === "tick") {
    ticking();
  }
  seen.push(look());
}
const labels = [...byId.get("controls").all()]
  .filter((one) => ["BUTTON", "INPUT"].includes(one.tagName))
  .map((one) => one.getAttribute("aria-label"));
const states = vm.runInContext("statesOf(JSON.parse(document.getElementById('data').textContent))", context);
process.stdout.write(JSON.stringify({ states, seen, labels, views: byId.get("view").children.map((one) => one.value) }));
