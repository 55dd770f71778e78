// Data, choices and drawing that all panels share.
"use strict";

const firsthit = { panels: [], data: null, choice: null, hidden: new Set() };

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
firsthit.label = (algorithm, most = 40) => firsthit.escape(firsthit.short(firsthit.name(algorithm), most));

firsthit.number = (value) => {
  if (value === null || value === undefined) return "∞";
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) {
    return value.toExponential(2).replace("e+", "e");
  }
  return String(Number(value.toPrecision(4)));
};
firsthit.target = (value) => (value === 0 ? "0" : value.toExponential().replace("e+", "e"));

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
firsthit.starred = (algorithm) => {
  const lacks = firsthit.data.partial.some((row) => firsthit.here(row) && row.algorithm === algorithm);
  return `${firsthit.name(algorithm)}${lacks ? " *" : ""}`;
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
  firsthit.element("summary", {}, "what these numbers rest on"), ...notes.map((note) => firsthit.element("p", {}, note)))];
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

// Colours and dashes are those of the figures, by the place of the algorithm among all in the logs.
const DASHES = { "-": "solid", "--": "dash", ":": "dot", "-.": "dashdot" };
const SYMBOLS = ["circle", "diamond", "square", "triangle-up", "triangle-down", "pentagon", "hexagon", "star", "x"];
firsthit.ofPlace = (list, algorithm) => list[firsthit.data.places[algorithm] % list.length];
firsthit.colour = (algorithm) => firsthit.ofPlace(firsthit.data.colours, algorithm);
firsthit.style = (algorithm) => ({
  line: {
    color: firsthit.colour(algorithm), width: 2,
    dash: DASHES[firsthit.ofPlace(firsthit.data.dashes, algorithm)],
  },
  marker: { color: firsthit.colour(algorithm), symbol: firsthit.ofPlace(SYMBOLS, algorithm), size: 8 },
});
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
const DASHARRAYS = { solid: "none", dash: "7 4", dot: "2 3", dashdot: "8 3 2 3" };
const stroke = ({ color, dash, width }) => {
  const [picture, line] = ["svg", "line"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  const parts = { x2: 28, y1: 4, y2: 4, stroke: color, "stroke-width": Math.min(width, 7), "stroke-dasharray": DASHARRAYS[dash ?? "solid"] };
  Object.entries(parts).forEach(([name, value]) => line.setAttribute(name, value));
  Object.entries({ width: 28, height: 8, "aria-hidden": "true" }).forEach(([name, value]) => picture.setAttribute(name, value));
  picture.append(line);
  return picture;
};
const namesBelow = (host, traces) => {
  const names = traces.filter((trace) => trace.showlegend !== false && trace.name).map((trace) => {
    const { algorithm } = trace.meta ?? {};
    const isShown = algorithm === undefined || !firsthit.hidden.has(algorithm);
    return firsthit.element("button", {
      type: "button", "aria-pressed": String(isShown), "data-name": algorithm ?? "reference",
      onclick: () => (algorithm === undefined ? firsthit.toggleReference(false) : firsthit.toggle(algorithm)),
    }, stroke(trace.line),
    firsthit.element("bdi", {}, algorithm === undefined ? `reference: ${firsthit.short(firsthit.referenceName(), 40)}` : firsthit.short(firsthit.starred(algorithm), 40)));
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
    const { algorithm } = clicked(event) ?? {};
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
