// Choices at the top, panels drawn when they come into view, buttons below each panel.
"use strict";

const sectionOf = (panel) => document.getElementById(panel.id);
const inView = new Set();
const due = new Set();

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const panel = firsthit.panels.find((one) => one.id === entry.target.id);
    if (entry.isIntersecting) inView.add(panel);
    else inView.delete(panel);
    if (entry.isIntersecting && due.has(panel)) draw(panel);
  }
}, { rootMargin: "300px" });

// Calls `act` for each node of a panel that comes into view, once; a new call replaces the last one of the panel.
const cellWatchers = new Map();
firsthit.whenSeen = (panelId, nodes, act) => {
  cellWatchers.get(panelId)?.disconnect();
  if (document.documentElement.dataset.printing) return nodes.forEach(act);
  const cellWatcher = new IntersectionObserver((entries, observer) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      observer.unobserve(entry.target);
      act(entry.target);
    }
  }, { rootMargin: "200px" });
  cellWatchers.set(panelId, cellWatcher);
  nodes.forEach((node) => cellWatcher.observe(node));
};

// On paper a wide table is made smaller, so that no column is cut; at most to two fifths.
const PAPER = 650;
const fitTables = (section) => section.querySelectorAll("table").forEach((table) => {
  table.style.zoom = "";
  if (document.documentElement.dataset.printing) table.style.zoom = String(Math.min(1, Math.max(0.4, PAPER / table.scrollWidth)));
});

const draw = async (panel) => {
  due.delete(panel);
  const section = sectionOf(panel);
  const [figure, controls] = [".figure", ".controls"].map((part) => section.querySelector(`:scope > ${part}`));
  try {
    const drawn = await panel.draw({ figure, controls });
    actions(panel, section.querySelector(":scope > .actions"), drawn);
    fitTables(section);
    section.dataset.drawn = String(Number(section.dataset.drawn ?? 0) + 1);
    remember();
  } catch (error) {
    firsthit.say(`${panel.id}: ${error.message}`);
    throw error;
  }
};

const actions = (panel, host, drawn) => {
  const file = `${panel.id}_d${String(firsthit.choice.dimension).padStart(2, "0")}_${firsthit.choice.group.replaceAll(/[^\w-]+/g, "-")}`;
  const button = (text, act) => firsthit.element("button", { type: "button", onclick: act, "data-action": text }, text);
  const picture = (format) => button(format.toUpperCase(), async () => {
    const Plotly = await firsthit.plotly();
    for (const [i, plot] of drawn.plots.filter((one) => one.data).entries()) {
      await Plotly.downloadImage(plot, { format, filename: drawn.plots.length > 1 ? `${file}_${i + 1}` : file, scale: format === "png" ? 2 : 1 });
    }
    firsthit.say(`${file}.${format} is saved`);
  });
  const command = firsthit.element("code", { class: "command", hidden: "" }, drawn.command);
  host.replaceChildren(
    button("CSV", () => firsthit.download(`${file}.csv`, firsthit.csv(drawn.rows()), "text/csv")),
    ...(drawn.plots.length ? [picture("svg"), picture("png")] : []),
    button("command", () => { command.hidden = !command.hidden; }), command);
};

// The evidence of a standing: the profiles of a group of functions, with the budget marked.
firsthit.showProfiles = (group, budget) => {
  firsthit.markedBudget = budget;
  const list = document.getElementById("group");
  list.value = group;
  choose();
  document.getElementById("ecdf").scrollIntoView();
};

// Draws a panel anew (all without a name): those in view now, the others when they come into view.
firsthit.refresh = (id = null) => {
  if (id === null) {
    checkAlgorithms();
    remember();
  }
  for (const panel of firsthit.panels.filter((one) => id === null || one.id === id)) {
    due.add(panel);
    if (inView.has(panel)) draw(panel);
  }
};

// What one sees is in the address, so that a link shows it: the choices at the top, which algorithms
// are hidden, the theme where the reader chose it, and of each panel what differs from its beginning.
const beginnings = new Map();
const isPlain = (value) => ["number", "string", "boolean"].includes(typeof value);

const remember = () => {
  const { suite, dimension, group } = firsthit.choice;
  const state = new URLSearchParams({ suite, dimension, group });
  if (firsthit.data.in_seconds && firsthit.isTimed()) state.set("count", "seconds");
  if (firsthit.hidden.size) state.set("hidden", [...firsthit.hidden].join(","));
  if (firsthit.highlighted.size) state.set("highlight", [...firsthit.highlighted].join(","));
  if (chosenTheme) state.set("theme", chosenTheme);
  if (firsthit.markedBudget) state.set("budget", firsthit.markedBudget);
  for (const [panel, beginning] of beginnings) {
    for (const [key, value] of Object.entries(beginning)) {
      if (isPlain(panel[key]) && panel[key] !== value) state.set(`${panel.id}.${key}`, JSON.stringify(panel[key]));
    }
  }
  // in the frame of a notebook (about:srcdoc) an address cannot be changed
  if (location.protocol !== "about:") history.replaceState(null, "", `#${state}`);
};

const recall = (address) => {
  const last = firsthit.data.algorithms.length - 1;
  const algorithmsOf = (key) => {
    const numbers = (address.get(key) ?? "").split(",").filter((text) => /^\d+$/.test(text)).map(Number);
    return new Set(numbers.filter((algorithm) => algorithm <= last));
  };
  firsthit.hidden = algorithmsOf("hidden");
  firsthit.highlighted = algorithmsOf("highlight");
  if (Number(address.get("budget")) > 0) firsthit.markedBudget = Number(address.get("budget"));
  if (["light", "dark"].includes(address.get("theme"))) setTheme(chosenTheme = address.get("theme"));
  for (const panel of firsthit.panels) {
    const { id, ...all } = panel;
    const beginning = Object.fromEntries(Object.entries(all).filter(([, value]) => value === null || isPlain(value)));
    beginnings.set(panel, beginning);
    for (const [key, value] of Object.entries(beginning)) {
      try {
        const stored = JSON.parse(address.get(`${id}.${key}`));
        if (value === null ? isPlain(stored) : typeof stored === typeof value) panel[key] = stored;
      } catch { /* an address that somebody changed: the panel begins as ever */ }
    }
  }
};

// Panels draw `firsthit.data`: in seconds what these change stands in the place of the rest.
let inEvaluations = null;
const count = (what) => {
  inEvaluations ??= firsthit.data;
  const { in_seconds } = inEvaluations;
  firsthit.data = what === "seconds" && in_seconds ? { ...inEvaluations, ...in_seconds } : inEvaluations;
  firsthit.inEvaluations = inEvaluations;
  for (const [id, caption] of Object.entries(firsthit.data.captions)) {
    const place = document.querySelector(`#${id} > .caption`);
    if (place) place.textContent = caption;
  }
};

const fillChoices = () => {
  const { data, choice } = firsthit;
  const fill = (id, options, value) => {
    const list = document.getElementById(id);
    list.replaceChildren(...options.map(([key, text]) => firsthit.element("option", { value: key }, text)));
    list.value = String(value);
  };
  fill("suite", data.suites.map((suite, i) => [i, suite.name]), choice.suite);
  document.getElementById("suite-label").hidden = data.suites.length < 2;
  const suite = firsthit.suite();
  if (!suite.dimensions.includes(choice.dimension)) choice.dimension = suite.dimensions[0];
  fill("dimension", suite.dimensions.map((d) => [d, d]), choice.dimension);
  const groups = [
    ["all", "all functions"],
    ...Object.keys(suite.groups).map((name) => [name, name]),
    ...suite.functions.map((f) => [firsthit.functionKey(f.function), firsthit.functionTitle(f.function)]),
  ];
  if (!groups.some(([key]) => key === choice.group)) choice.group = "all";
  fill("group", groups, choice.group);
  for (const [id, step] of Object.entries(STEPS)) {
    document.getElementById(id).hidden = suite.dimensions.length < 2;
    document.getElementById(id).disabled = dimensionAfter(step) === undefined;
  }
  document.getElementById("count-label").hidden = !data.in_seconds;
  if (data.in_seconds) fill("count", [["evaluations", "evaluations"], ["seconds", `seconds of ${data.in_seconds.clock}`]], firsthit.runtimeUnit());
  for (const part of document.querySelectorAll("div.answer")) {
    part.hidden = part.dataset.suite !== suite.name || Number(part.dataset.dimension) !== choice.dimension || part.dataset.axis !== data.axis;
  }
};

// The dimension that is `step` dimensions after the chosen one; undefined beyond the ends.
const dimensionAfter = (step) => {
  const { dimensions } = firsthit.suite();
  return dimensions[dimensions.indexOf(firsthit.choice.dimension) + step];
};
const STEPS = { "previous-dimension": -1, "next-dimension": 1 };
const moveDimension = (step) => {
  if (dimensionAfter(step) === undefined) return;
  document.getElementById("dimension").value = String(dimensionAfter(step));
  choose();
};
const moveDimensionByKey = (event) => {
  const step = { n: 1, p: -1 }[event.key];
  const isTyping = event.target.closest?.("input, select, textarea, [contenteditable]");
  if (step && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) moveDimension(step);
};

// The list of algorithms does by keyboard what the legends of the figures do.
const fillAlgorithms = () => {
  const boxes = firsthit.data.algorithms.map((_, algorithm) => {
    const box = firsthit.checkbox(firsthit.name(algorithm), !firsthit.hidden.has(algorithm), () => firsthit.toggle(algorithm));
    const key = firsthit.element("span", { class: "key" });
    const name = firsthit.shortName(algorithm);
    const highlight = firsthit.element("button", {
      type: "button", class: "highlight", "aria-label": `highlight ${name}`, title: `draw ${name} in colour, and grey all that are not chosen`,
      onclick: () => firsthit.highlight(algorithm),
    }, "★");
    return firsthit.element("div", {}, highlight, key, box);
  });
  const help = firsthit.element("p", { class: "caption" }, "A box shows or hides. ★ highlights: all others become grey.");
  document.querySelector("#algorithms .list").replaceChildren(help, ...boxes);
  checkAlgorithms();
};

const checkAlgorithms = () => {
  document.querySelectorAll("#algorithms input").forEach((box, algorithm) => {
    box.checked = !firsthit.hidden.has(algorithm);
  });
  document.querySelectorAll("#algorithms .highlight").forEach((button, algorithm) => {
    button.setAttribute("aria-pressed", String(firsthit.highlighted.has(algorithm)));
  });
  document.querySelectorAll("#algorithms .key").forEach((key, algorithm) => {
    key.replaceChildren(firsthit.key(firsthit.style(algorithm)));
  });
};

const choose = () => {
  const read = (id) => document.getElementById(id).value;
  firsthit.choice = { suite: Number(read("suite")), dimension: Number(read("dimension")), group: read("group") };
  if (firsthit.data.in_seconds && read("count") !== firsthit.runtimeUnit()) {
    firsthit.markedBudget = null;
    count(read("count"));
  }
  fillChoices();
  firsthit.refresh();
};

let chosenTheme = null;
const setTheme = (theme) => {
  document.documentElement.dataset.theme = theme;
  if (firsthit.data) firsthit.refresh();
};

const start = async () => {
  firsthit.data = JSON.parse(await firsthit.decode("data"));
  const address = new URLSearchParams(location.hash.slice(1));
  count(address.get("count"));
  const suite = Math.min(Math.max(Number(address.get("suite") ?? 0) || 0, 0), firsthit.data.suites.length - 1);
  firsthit.choice = { suite, dimension: Number(address.get("dimension")), group: address.get("group") ?? "all" };
  firsthit.panels = firsthit.panels.filter(sectionOf);
  recall(address);
  fillChoices();
  fillAlgorithms();
  document.querySelectorAll("#choices select").forEach((list) => list.addEventListener("change", choose));
  Object.entries(STEPS).forEach(([id, step]) => document.getElementById(id).addEventListener("click", () => moveDimension(step)));
  document.addEventListener("keydown", moveDimensionByKey);
  document.getElementById("choices").addEventListener("submit", (event) => event.preventDefault());
  firsthit.panels.forEach((panel) => {
    due.add(panel);
    watcher.observe(sectionOf(panel));
  });
  document.documentElement.dataset.ready = "yes";
};

setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () =>
  setTheme(chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
// What prints is everything: panels that were never looked at are drawn first.
// Paper is white and narrow: figures are drawn for the light theme and its width, and anew afterwards.
let themeOfScreen = null;
window.addEventListener("beforeprint", () => {
  themeOfScreen = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  document.documentElement.dataset.printing = "yes";
  firsthit.panels.forEach((panel) => draw(panel));
});
window.addEventListener("afterprint", () => {
  delete document.documentElement.dataset.printing;
  document.querySelectorAll("section").forEach(fitTables);
  setTheme(themeOfScreen);
});
start();
