// Data, choices and drawing that all panels share.
"use strict";

const firsthit = { panels: [], data: null, choice: null, hidden: new Set(), highlighted: new Set() };

firsthit.panel = (id) => firsthit.panels.find((panel) => panel.id === id);

firsthit.decode = async (id) => {
  const text = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
};

let plotlyLoading = null;
firsthit.plotly = () => {
  plotlyLoading ??= firsthit.decode("plotly").then((source) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("the plotting library does not load"));
    document.head.append(script);
  }));
  return plotlyLoading;
};

firsthit.element = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};

// Names come from logs: in the page they are text nodes, in Plotly's strings they are escaped.
firsthit.name = (algorithm) => firsthit.data.algorithms[algorithm].trim() || "(no name)";
firsthit.short = (text, most = 60) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
firsthit.escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
// Shortened names, which differ from each other; the whole name is shown on hover.
firsthit.shortName = (algorithm) => firsthit.data.labels[algorithm];
firsthit.label = (algorithm) => firsthit.escape(firsthit.shortName(algorithm));
firsthit.hoverName = (algorithm) => firsthit.starred(algorithm).match(/.{1,60}/gsu).map(firsthit.escape).join("<br>");

firsthit.number = (value) => {
  if (value === null || value === undefined) return "∞";
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) {
    return value.toExponential(2).replace("e+", "e");
  }
  return String(Number(value.toPrecision(4)));
};
// A target: with all digits in commands, with three digits where people read it, as in tables.
firsthit.target = (value) => (value === 0 ? "0" : value.toExponential().replace("e+", "e"));
firsthit.targetText = (value) => firsthit.target(Number(value.toPrecision(3)));

// Columns {a: […], b: […]} to rows [{a, b}, …] that pass `keep`.
firsthit.rows = (columns, keep = () => true) => {
  const names = Object.keys(columns);
  const found = [];
  for (let i = 0; i < (columns[names[0]] ?? []).length; i += 1) {
    const row = {};
    for (const name of names) row[name] = columns[name][i];
    if (keep(row)) found.push(row);
  }
  return found;
};

// Names with * where an algorithm lacks functions or instances that another was run on.
const star = (algorithm) => (firsthit.data.partial.some((row) => firsthit.here(row) && row.algorithm === algorithm) ? " *" : "");
firsthit.starred = (algorithm) => firsthit.name(algorithm) + star(algorithm);
firsthit.starredLabel = (algorithm) => firsthit.label(algorithm) + star(algorithm);
// The cell of a table for an algorithm's name, which may have a star.
firsthit.nameCell = (name) => {
  const algorithm = firsthit.data.algorithms.findIndex((_, i) => [firsthit.name(i), `${firsthit.name(i)} *`].includes(name));
  const text = algorithm < 0 ? firsthit.short(name) : firsthit.shortName(algorithm) + (name === firsthit.name(algorithm) ? "" : " *");
  return firsthit.element("bdi", { title: name }, text);
};
firsthit.curveLabel = (curve) => `${firsthit.label(curve.algorithm)}${curve.partial ? " *" : ""}`;

// The reference: a name, drawn unless switched off; what is said of it stands beside the switch.
firsthit.showReference = true;
firsthit.referenceName = () => firsthit.data.reference.name.trim() || "(no name)";
firsthit.toggleReference = (on) => {
  firsthit.showReference = on;
  firsthit.refresh();
};
firsthit.referenceBox = (notes) => {
  if (!firsthit.data.reference) return [];
  const box = firsthit.checkbox(`reference: ${firsthit.short(firsthit.referenceName(), 60)}`, firsthit.showReference, firsthit.toggleReference);
  box.classList.add("reference");
  return [box, ...notes.map((note) => firsthit.element("span", { class: "caption" }, firsthit.short(note, 400)))];
};
// What numbers rest on: runs, instances, what counts, for whom intervals hold.
firsthit.basis = (notes) => [firsthit.element("details", { class: "caption basis" },
  firsthit.element("summary", {}, "notes on these numbers"), ...notes.map((note) => firsthit.element("p", {}, note)))];
// As the report was asked for; empty for the suite's own.
firsthit.askedTargetsOption = () => (firsthit.data.asked_targets ? ` --targets ${firsthit.quoted(firsthit.data.asked_targets)}` : "");
firsthit.referenceOption = () => (firsthit.data.reference?.asked ? ` --reference ${firsthit.quoted(firsthit.data.reference.asked)}` : "");

// What is counted: evaluations, by dimension in budgets, or seconds, which nothing divides.
firsthit.isTimed = () => firsthit.data.axis === "seconds";
firsthit.budgetUnit = () => firsthit.data.axis.replace("/", " / ");
firsthit.budgetColumn = () => firsthit.data.axis.replace("/", "_per_");
firsthit.runtimeUnit = () => (firsthit.isTimed() ? "seconds" : "evaluations");
firsthit.budgetText = () => (firsthit.isTimed() ? "s" : "· D");
firsthit.unit = (dimension) => (firsthit.isTimed() ? 1 : dimension);
firsthit.countOption = () => (firsthit.data.count ? ` --count ${firsthit.data.count}` : "");

// Algorithms that were run on the chosen suite in the chosen dimension.
firsthit.present = () => [...new Set(firsthit.rows(firsthit.data.outcomes, firsthit.here).map((row) => row.algorithm))];

// Styles are those of the figures. If some algorithms are highlighted, all others are grey.
const SYMBOLS = ["circle", "diamond", "square", "triangle-up", "triangle-down", "pentagon", "hexagon", "triangle-left", "triangle-right", "diamond-tall", "star"];
// Markers in keys: number of corners, angle of the first one in degrees, and for some the radius of
// every second corner and the width, as shares.
const CORNERS = {
  circle: { count: 24, turn: 0 }, diamond: { count: 4, turn: 0 }, square: { count: 4, turn: 45 },
  "triangle-up": { count: 3, turn: -90 }, "triangle-down": { count: 3, turn: 90 }, pentagon: { count: 5, turn: -90 }, hexagon: { count: 6, turn: -90 },
  "triangle-left": { count: 3, turn: 180 }, "triangle-right": { count: 3, turn: 0 }, "diamond-tall": { count: 4, turn: -90, stretch: 0.5 }, star: { count: 10, turn: -90, inner: 0.45 },
};
const KEY_RADIUS = 4.5;
const GREY = "#8c8c8c";
const LINE_WIDTH = 2;
firsthit.isGrey = (algorithm) => firsthit.highlighted.size > 0 && !firsthit.highlighted.has(algorithm);
firsthit.colour = (algorithm) => (firsthit.isGrey(algorithm) ? GREY : firsthit.data.styles[algorithm].colour);
firsthit.hatch = (algorithm) => (firsthit.isGrey(algorithm) ? 0 : firsthit.data.styles[algorithm].hatch);
const plotlyStyle = ({ colour, dashes, marker }) => ({
  line: { color: colour, width: LINE_WIDTH, dash: dashes.length ? dashes.map((length) => `${LINE_WIDTH * length}px`).join() : "solid" },
  marker: { color: colour, symbol: SYMBOLS[marker], size: 8 },
});
firsthit.style = (algorithm) => {
  if (!firsthit.isGrey(algorithm)) return plotlyStyle(firsthit.data.styles[algorithm]);
  return { line: { color: GREY, width: 1, dash: "solid" }, marker: { color: GREY, symbol: SYMBOLS[firsthit.data.styles[algorithm].marker], size: 5 } };
};
// Styles of curves that are no algorithms, by their number from 0.
firsthit.styleOfNumber = (number) => plotlyStyle(firsthit.data.all_styles[number % firsthit.data.all_styles.length]);
firsthit.translucent = (algorithm) => `${firsthit.colour(algorithm)}${document.documentElement.dataset.theme === "dark" ? "3a" : "22"}`;

firsthit.suite = () => firsthit.data.suites[firsthit.choice.suite];
firsthit.functionsOf = (group) => {
  const suite = firsthit.suite();
  if (group === "all") return suite.functions.map((f) => f.function);
  if (suite.groups[group]) return suite.groups[group];
  return suite.functions.map((f) => f.function).filter((f) => firsthit.functionKey(f) === group);
};
firsthit.functionKey = (number) => `f${String(number).padStart(3, "0")}`;
firsthit.functionTitle = (number) => {
  const known = firsthit.suite().functions.find((f) => f.function === number);
  return known && known.name ? `f${number} ${known.name}` : `f${number}`;
};
firsthit.chosenFunctions = () => firsthit.functionsOf(firsthit.choice.group);
firsthit.here = (row) =>
  row.suite === firsthit.choice.suite && row.dimension === firsthit.choice.dimension;

firsthit.selection = () => {
  const { dimension, group } = firsthit.choice;
  const functions = group === "all" ? "" : ` --functions ${firsthit.functionsOf(group).join(",")}`;
  return `${firsthit.data.logs.map(quoted).join(" ")} --suites ${quoted(firsthit.suite().name)} --dimensions ${dimension}${functions}`;
};
const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
firsthit.quoted = quoted;

firsthit.layout = (x, y, changes = {}) => {
  const css = getComputedStyle(document.documentElement);
  const [ink, line] = ["--ink", "--line"].map((name) => css.getPropertyValue(name).trim());
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, exponentformat: "power", automargin: true };
  return {
    autosize: true, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: ink, size: 13, family: "system-ui, sans-serif" },
    margin: { l: 60, r: 15, t: 15, b: 55 }, hovermode: "closest",
    legend: { itemwidth: 40 },
    ...changes,
    xaxis: { ...axis, title: { text: x }, ...changes.xaxis },
    yaxis: { ...axis, title: { text: y }, ...changes.yaxis },
  };
};

// A logarithmic axis from one decade to another with a line at each, or at every second of many.
firsthit.decades = (values, changes = {}) => {
  const logarithms = values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log10);
  if (!logarithms.length) return { type: "log", ...changes };
  const [low, high] = [Math.floor(Math.min(...logarithms) + 1e-9), Math.ceil(Math.max(...logarithms) - 1e-9)];
  const span = Math.max(high - low, 1);
  return { type: "log", range: [low, low + span], dtick: Math.ceil(span / 8), tick0: 0, ...changes };
};

// Such an axis that ends where the values end, if two of its lines are between them.
firsthit.withinData = (values) => {
  const axis = firsthit.decades(values);
  const logarithms = values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log10);
  const [low, high] = [Math.min(...logarithms), Math.max(...logarithms)];
  return Math.floor(high) > Math.ceil(low) ? { ...axis, range: [low, high] } : axis;
};

// The height of a number on an axis that is logarithmic on both sides of 0, and linear from -smallest to smallest.
firsthit.onBothSides = (value, smallest) => {
  const size = Math.abs(value) / smallest;
  return Math.sign(value) * (size < 1 ? size : 1 + Math.log10(size));
};

// Such an axis, with lines at 0 and at decades: at most eight on a side.
firsthit.decadesOnBothSides = (values, smallest) => {
  const first = Math.round(Math.log10(smallest));
  const side = (size) => {
    const last = Math.ceil(Math.log10(Math.max(size, smallest)) - 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  const [up, down] = [side(Math.max(...values)), side(-Math.min(...values))];
  const step = Math.ceil(Math.max(up.length, down.length) / 8);
  const ticks = [[0, "0"]];
  for (const [sign, decades] of [["", up], ["−", down]]) {
    for (const decade of decades.filter((one) => one % step === 0)) {
      const height = firsthit.onBothSides(10 ** decade, smallest);
      ticks.push([sign ? -height : height, `${sign}10<sup>${decade}</sup>`.replace("10<sup>0</sup>", "1")]);
    }
  }
  const [lowest, highest] = [down, up].map((side) => firsthit.onBothSides(10 ** side.at(-1), smallest));
  return { type: "linear", range: [-lowest, highest], tickvals: ticks.map(([at]) => at), ticktext: ticks.map(([, text]) => text) };
};

// Bands hide each other: they are drawn of at most four algorithms.
firsthit.MOST_BANDS = 4;
firsthit.bandsFit = (algorithms) => new Set(algorithms.filter((a) => !firsthit.hidden.has(a))).size <= firsthit.MOST_BANDS;
firsthit.bandsBox = (panel, algorithms, what) => {
  const fit = firsthit.bandsFit(algorithms);
  const label = firsthit.checkbox(fit ? what : `${what}: drawn of at most ${firsthit.MOST_BANDS} algorithms, hide some`, panel.bands && fit, (on) => {
    panel.bands = on;
    firsthit.refresh(panel.id);
  });
  label.firstElementChild.disabled = !fit;
  return label;
};

// On a narrow screen names stand below a figure as buttons, which do what its legend does elsewhere.
// A key shows the line and the marker of a curve, as far as its `mode` has them.
const drawing = (tag, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  return node;
};
const markerCorners = (symbol) => {
  const { count, turn, inner = 1, stretch = 1 } = CORNERS[symbol];
  return Array.from({ length: count }, (_, i) => {
    const [angle, radius] = [((turn + (360 * i) / count) * Math.PI) / 180, i % 2 ? KEY_RADIUS * inner : KEY_RADIUS];
    return `${14 + stretch * radius * Math.cos(angle)},${5 + radius * Math.sin(angle)}`;
  }).join(" ");
};
firsthit.key = ({ line, marker, mode = "lines" }) => {
  const picture = drawing("svg", { width: 28, height: 10, "aria-hidden": "true" });
  const dash = (line.dash ?? "solid") === "solid" ? "none" : line.dash.replaceAll("px", "");
  if (mode.includes("lines")) picture.append(drawing("line", { x2: 28, y1: 5, y2: 5, stroke: line.color, "stroke-width": Math.min(line.width, 7), "stroke-dasharray": dash }));
  if (mode.includes("markers") && marker) picture.append(drawing("polygon", { points: markerCorners(marker.symbol), fill: marker.color }));
  return picture;
};
const nameButton = (algorithm, key) => {
  const isShown = algorithm === undefined || !firsthit.hidden.has(algorithm);
  return firsthit.element("button", {
    type: "button", "aria-pressed": String(isShown), "data-name": algorithm ?? "reference",
    onclick: () => (algorithm === undefined ? firsthit.toggleReference(false) : firsthit.toggle(algorithm)),
  }, key,
  algorithm === undefined ? firsthit.element("bdi", {}, `reference: ${firsthit.short(firsthit.referenceName(), 40)}`) : firsthit.nameCell(firsthit.starred(algorithm)));
};
// The names of all algorithms above a grid of small figures, which have no legends.
firsthit.namesAbove = (figure, mode) => {
  if (!figure.firstElementChild.matches(".names")) figure.prepend(firsthit.element("div", { class: "names" }));
  figure.firstElementChild.replaceChildren(...firsthit.present().map((algorithm) => nameButton(algorithm, firsthit.key({ ...firsthit.style(algorithm), mode }))));
};
const namesBelow = (host, traces) => {
  const names = traces.filter((trace) => trace.showlegend !== false && trace.name).map((trace) => {
    const { algorithm, isPlain } = trace.meta ?? {};
    return isPlain ? firsthit.element("span", {}, firsthit.key(trace), trace.name) : nameButton(algorithm, firsthit.key(trace));
  });
  if (!host.nextElementSibling?.matches(".names")) host.after(firsthit.element("div", { class: "names" }));
  const isReference = (name) => name.dataset.name === "reference";
  host.nextElementSibling.replaceChildren(...names.filter((name) => !isReference(name)), ...names.filter(isReference));
};

// Draws into `host`; a click in the legend shows or hides an algorithm in all panels.
firsthit.plot = async (host, traces, layout) => {
  const Plotly = await firsthit.plotly();
  const isNarrow = (document.documentElement.dataset.printing || window.innerWidth < 700) && layout.showlegend;
  for (const trace of traces) {
    if (trace.algorithm !== undefined) {
      trace.legendgroup = String(trace.algorithm);
      trace.visible = firsthit.hidden.has(trace.algorithm) ? "legendonly" : true;
      trace.meta = { algorithm: trace.algorithm };
      delete trace.algorithm;
    }
  }
  await Plotly.react(host, traces, { ...layout, showlegend: Boolean(layout.showlegend) && !isNarrow }, { responsive: true, displaylogo: false, displayModeBar: false });
  if (isNarrow) namesBelow(host, traces);
  else if (host.nextElementSibling?.matches(".names")) host.nextElementSibling.remove();
  if (host.dataset.listens) return host;
  host.dataset.listens = "yes";
  const clicked = (event) => event.data[event.curveNumber].meta;
  host.on("plotly_legendclick", (event) => {
    const { algorithm, isPlain } = clicked(event) ?? {};
    if (isPlain) return true; // Plotly itself hides a curve that is neither an algorithm nor the reference.
    if (algorithm === undefined) firsthit.toggleReference(false);
    else firsthit.toggle(algorithm);
    return false;
  });
  host.on("plotly_legenddoubleclick", (event) => {
    const { algorithm } = clicked(event) ?? {};
    if (algorithm !== undefined) firsthit.isolate(algorithm);
    return false;
  });
  return host;
};

firsthit.toggle = (algorithm) => {
  if (!firsthit.hidden.delete(algorithm)) firsthit.hidden.add(algorithm);
  firsthit.refresh();
};
firsthit.isolate = (algorithm) => {
  const others = firsthit.data.algorithms.map((_, i) => i).filter((i) => i !== algorithm);
  const alone = others.every((i) => firsthit.hidden.has(i));
  firsthit.hidden = new Set(alone ? [] : others);
  firsthit.refresh();
};

// Algorithms in colour; without any, all are.
firsthit.highlight = (algorithm) => {
  if (!firsthit.highlighted.delete(algorithm)) firsthit.highlighted.add(algorithm);
  firsthit.refresh();
};

firsthit.say = (text) => {
  document.getElementById("status").textContent = text;
};

// A cell that a spreadsheet would run as a formula is kept text by a leading apostrophe.
const csvCell = (value) => {
  if (value === null || value === undefined) return "inf";
  if (typeof value === "number") return String(value);
  const safe = /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
firsthit.csv = (rows) => {
  if (!rows.length) return "";
  const names = Object.keys(rows[0]);
  return `${[names, ...rows.map((row) => names.map((name) => row[name]))].map((cells) => cells.map(csvCell).join(",")).join("\n")}\n`;
};
firsthit.download = (file, content, type) => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = firsthit.element("a", { href: url, download: file });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  firsthit.say(`${file} is saved`);
};

firsthit.select = (label, options, value, change) => {
  const list = firsthit.element("select", { onchange: (event) => change(event.target.value) });
  for (const [key, text] of options) {
    const option = firsthit.element("option", { value: key }, text);
    option.selected = String(key) === String(value);
    list.append(option);
  }
  return firsthit.element("label", {}, `${label} `, list);
};
firsthit.checkbox = (label, checked, change) => {
  const box = firsthit.element("input", { type: "checkbox", onchange: (event) => change(event.target.checked) });
  box.checked = checked;
  return firsthit.element("label", {}, box, ` ${label}`);
};
