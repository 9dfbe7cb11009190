
"use strict";

// What can be worked out without a page.

const EVERYTHING = "all";
const MOST_BACKS = 10;
const MOST_CARDS = 40;

/** The whole state after each step: a step names what it changes. */
function statesOf(data) {
  const states = [];
  let state = {};
  for (const step of data.steps) {
    state = { ...state, ...step.state };
    states.push(state);
  }
  return states;
}

/** What a step says from a point of view: lines, none where nothing is seen there. */
function saidTo(step, view) {
  if (Array.isArray(step.say)) return step.say;
  return Object.hasOwn(step.say, view) ? step.say[view] : [];
}

/** The numbers of the steps that something is seen of from a point of view. */
function stepsFor(data, view) {
  return data.steps.map((_, number) => number).filter((number) => saidTo(data.steps[number], view).length > 0);
}

/** A seat's hand from a point of view: how many cards, and which where they are seen. */
function handOf(state, seat, view) {
  const hand = state.hands.find((one) => one.seat === seat);
  if (hand === undefined) return { count: 0, cards: [] };
  const seen = view === EVERYTHING || view === String(seat);
  return { count: hand.count, cards: seen ? hand.cards : null };
}

/** Where in a list of steps another deal begins, seen from a place in it. */
function dealFrom(steps, states, place, direction) {
  const deal = (at) => states[steps[at]].deal;
  const begins = (at) => at === 0 || deal(at) !== deal(at - 1);
  for (let at = place + direction; at >= 0 && at < steps.length; at += direction) {
    if (begins(at)) return at;
  }
  return direction < 0 ? 0 : steps.length - 1;
}

/** The place in a list of steps that is nearest to a step, not after it where there is one. */
function placeOf(steps, step) {
  let place = 0;
  while (place + 1 < steps.length && steps[place + 1] <= step) place += 1;
  return place;
}

/** Where the seats sit, the one that looks at the bottom: play goes round to the right. */
function positions(seats, view) {
  const around = { 2: ["bottom", "top"], 3: ["bottom", "right", "left"], 4: ["bottom", "right", "top", "left"] };
  const from = view === EVERYTHING ? 0 : Number(view);
  return new Map(seats.map((_, i) => [seats[(from + i) % seats.length].seat, around[seats.length][i]]));
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? values[name] : whole));
}

// The page.

const SVG = "http://www.w3.org/2000/svg";
const PACE_MS = 1100;
const ICONS = {
  first: "M4 4h3v16H4zM20 4v16L8 12z",
  deal_back: "M13 4v16L3 12zM22 4v16L12 12z",
  back: "M17 4v16L6 12z",
  play: "M6 3v18l14-9z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  forward: "M7 4v16l11-8z",
  deal_on: "M2 4v16l10-8zM11 4v16l10-8z",
  last: "M17 4h3v16h-3zM4 4v16l12-8z",
};

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawing(attributes, ...children) {
  const made = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const rightToLeft = document.documentElement.getAttribute("dir") === "rtl";
  const states = statesOf(data);
  const { texts, words } = data;
  const at = (id) => document.getElementById(id);
  let view = data.views[0].view;
  let steps = stepsFor(data, view);
  let place = 0;
  let timer = null;
  let shownDeal = null;
  const buttons = {};

  function cardOf(card) {
    const known = Object.hasOwn(data.cards, card);
    const name = known ? data.cards[card] : card;
    return element(
      "li",
      {},
      drawing(
        { class: "card", viewBox: "0 0 100 154", role: "img", "aria-label": name },
        shape("use", { href: known ? `#c-${card}` : "#c-none" }),
      ),
    );
  }

  function cardList(cards, label) {
    const shown = cards.slice(0, MOST_CARDS).map(cardOf);
    if (cards.length > MOST_CARDS) shown.push(element("li", {}, `+${cards.length - MOST_CARDS}`));
    return element("ul", { class: "cards", "aria-label": label }, ...shown);
  }

  function backs(count, label) {
    const shown = [];
    for (let i = 0; i < Math.min(count, MOST_BACKS); i += 1) {
      const svg = { class: "card", viewBox: "0 0 100 154", "aria-hidden": "true" };
      shown.push(element("span", {}, drawing(svg, shape("use", { href: "#c-back" }))));
    }
    if (count > MOST_BACKS) shown.push(element("span", {}, `+${count - MOST_BACKS}`));
    return element("div", { class: "cards", role: "img", "aria-label": label }, ...shown);
  }

  function labelled(word, value) {
    return filled(texts.label, { word, value });
  }

  function kindOf(kind) {
    return Object.hasOwn(data.kinds, kind) ? data.kinds[kind] : kind;
  }

  function seatOf(seat, where, state) {
    const title = element("h2", {}, seat.name);
    const badge = (text, kind) => title.append(element("span", { class: `badge ${kind}` }, text));
    if (state.dealer === seat.seat) badge(words.dealer, "");
    if (state.winners.length > 0 && state.winners.includes(sideOf(seat.seat))) badge(words.winner, "call");
    for (const one of state.announcements) {
      if (one.seat === seat.seat && one.batch === state.batch) badge(kindOf(one.kind), "call");
    }
    if (state.forfeited.includes(seat.seat)) badge(texts.out, "out");
    const hand = handOf(state, seat.seat, view);
    const hidden = filled(texts.hidden_cards, { count: hand.count });
    const plays = state.turn !== null && state.turn.seat === seat.seat;
    return element(
      "section",
      { class: `seat at-${where}${plays ? " plays" : ""}` },
      title,
      hand.cards === null ? backs(hand.count, hidden) : cardList(hand.cards, words.hand),
    );
  }

  function sideOf(seat) {
    return data.seats.length === 4 ? seat % 2 : seat;
  }

  function nameOfSeat(seat) {
    const found = data.seats.find((one) => one.seat === seat);
    return found === undefined ? String(seat) : found.name;
  }

  function nameOfSide(side) {
    const found = data.sides.find((one) => one.side === side);
    return found === undefined ? String(side) : found.name;
  }

  function drawBoard(state) {
    const where = positions(data.seats, view);
    const felt = element("section", { class: "felt" }, element("h2", {}, words.table), cardList(state.table, words.table));
    const turn = element("div", { class: "turn" });
    if (state.turn !== null) {
      turn.append(
        element("p", { class: "quiet" }, nameOfSeat(state.turn.seat)),
        cardList([state.turn.card, ...state.turn.taken], words.capture),
      );
    }
    if (state.chain !== null) {
      const parts = [
        labelled(words.chain, nameOfSeat(state.chain.seat)),
        labelled(words.step, state.chain.step),
        labelled(words.card, state.chain.cards),
      ];
      if (state.chain.mesa > 0) parts.push(labelled(words.mesa, state.chain.mesa));
      turn.append(element("p", {}, parts.join(" · ")));
    }
    felt.append(turn);
    const board = at("board");
    board.setAttribute("class", `seats-${data.seats.length}`);
    // In the order in which they are read: the seat that looks comes last.
    const order = ["top", "left", "right", "bottom"];
    const seats = [...data.seats].sort((a, b) => order.indexOf(where.get(a.seat)) - order.indexOf(where.get(b.seat)));
    const drawn = seats.map((seat) => seatOf(seat, where.get(seat.seat), state));
    board.replaceChildren(...drawn.slice(0, -1), felt, ...drawn.slice(-1));
  }

  function drawSides(state) {
    const cell = (name, text, attributes) => element(name, attributes, text);
    const head = element(
      "tr",
      {},
      ...[words.side, words.score, words.pile].map((text) => cell("th", text, { scope: "col" })),
    );
    const number = (list, side, field) => {
      const found = list.find((one) => one.side === side);
      return found === undefined ? "-" : String(found[field]);
    };
    const rows = data.sides.map((one) =>
      element(
        "tr",
        {},
        cell("th", one.name, { scope: "row" }),
        cell("td", number(state.scores, one.side, "points"), {}),
        cell("td", number(state.piles, one.side, "cards"), {}),
      ),
    );
    const debts = state.debts.slice(0, MOST_CARDS).map((debt) =>
      element("p", {}, labelled(words.debt, `${nameOfSide(debt.payer)}, ${nameOfSide(debt.receiver)}, ${debt.cards}`)),
    );
    at("sides").replaceChildren(element("table", {}, head, ...rows), ...debts);
  }

  function drawLines(step, state) {
    const list = at("lines");
    if (shownDeal !== state.deal) {
      shownDeal = state.deal;
      const items = [];
      steps.forEach((number, index) => {
        if (states[number].deal !== state.deal) return;
        const button = element("button", { type: "button", "data-step": String(number) }, saidTo(data.steps[number], view).join(" · "));
        button.addEventListener("click", () => go(index));
        items.push(element("li", {}, button));
      });
      list.replaceChildren(...items);
    }
    for (const item of list.children) {
      const button = item.children[0];
      if (button.getAttribute("data-step") === String(step)) {
        button.setAttribute("aria-current", "step");
        list.scrollTop = item.offsetTop - list.clientHeight / 2;
      } else {
        button.removeAttribute("aria-current");
      }
    }
  }

  function draw() {
    const end = steps.length - 1;
    const counted = filled(texts.step, { step: place + 1, steps: end + 1 });
    if (end < 0) return;
    const step = steps[place];
    const state = states[step];
    const said = saidTo(data.steps[step], view).join(" · ");
    at("place").textContent =
      state.deal > 0
        ? `${words.deal} ${state.deal} · ${words.batch} ${state.batch} · ${labelled(words.pack, state.pack)} · ${counted}`
        : counted;
    at("now").textContent = said;
    drawBoard(state);
    drawSides(state);
    drawLines(step, state);
    const timeline = at("timeline");
    timeline.setAttribute("max", String(end));
    timeline.value = String(place);
    timeline.setAttribute("aria-valuetext", `${counted}: ${said}`);
    for (const name of ["first", "deal_back", "back"]) buttons[name].disabled = place === 0;
    for (const name of ["forward", "deal_on", "last"]) buttons[name].disabled = place === end;
  }

  function show(next) {
    place = Math.max(0, Math.min(steps.length - 1, next));
    draw();
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    label(buttons.play, "play");
  }

  function go(next) {
    stop();
    show(next);
  }

  function toggle() {
    if (timer !== null) {
      stop();
      return;
    }
    if (place >= steps.length - 1) show(0);
    label(buttons.play, "pause");
    timer = setInterval(() => {
      show(place + 1);
      if (place >= steps.length - 1) stop();
    }, PACE_MS);
  }

  function look(chosen) {
    const step = steps.length > 0 ? steps[place] : 0;
    view = chosen;
    steps = stepsFor(data, view);
    shownDeal = null;
    go(placeOf(steps, step));
  }

  function label(button, name) {
    button.setAttribute("aria-label", texts[name]);
    button.setAttribute("title", texts[name]);
    button.replaceChildren(
      drawing({ viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: ICONS[name] })),
    );
  }

  const actions = {
    first: () => go(0),
    deal_back: () => go(dealFrom(steps, states, place, -1)),
    back: () => go(place - 1),
    play: toggle,
    forward: () => go(place + 1),
    deal_on: () => go(dealFrom(steps, states, place, 1)),
    last: () => go(steps.length - 1),
  };
  const keys = {
    [rightToLeft ? "ArrowLeft" : "ArrowRight"]: "forward",
    [rightToLeft ? "ArrowRight" : "ArrowLeft"]: "back",
    Home: "first",
    End: "last",
    PageUp: "deal_back",
    PageDown: "deal_on",
    " ": "play",
  };

  function build() {
    for (const [name, action] of Object.entries(actions)) {
      buttons[name] = element("button", { type: "button" });
      label(buttons[name], name);
      buttons[name].addEventListener("click", action);
    }
    const timeline = element("input", {
      id: "timeline",
      type: "range",
      min: "0",
      max: "0",
      step: "1",
      "aria-label": texts.timeline,
    });
    timeline.addEventListener("input", () => go(Number(timeline.value)));
    const options = data.views.map((one) => element("option", { value: one.view }, one.name));
    const choice = element("select", { id: "view" }, ...options);
    choice.addEventListener("change", () => look(choice.value));
    at("controls").append(
      timeline,
      element("div", { class: "buttons" }, ...Object.values(buttons)),
    );
    at("choice").append(element("label", { for: "view" }, texts.view), choice);
    at("happened").textContent = texts.happened;
    at("keys").textContent = texts.keys;
    document.addEventListener("keydown", (event) => {
      const focused = event.target.tagName;
      if (event.altKey || event.ctrlKey || event.metaKey || focused === "SELECT") return;
      if (event.key === " " && focused === "BUTTON") return;
      if (!Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      actions[keys[event.key]]();
    });
  }

  /** The place that the address names, as `#25`; the beginning where it names none. */
  function addressed() {
    const named = /^#([0-9]{1,9})$/.exec(window.location.hash);
    return named === null ? 0 : Number(named[1]) - 1;
  }

  build();
  window.addEventListener("hashchange", () => go(addressed()));
  show(addressed());
}

if (typeof document !== "undefined") start();
