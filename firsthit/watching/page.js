"use strict";
// Names and messages come from other people's files: they are set as text, never as HTML.
const LINE_WIDTH = 1.6;
const REFRESH_MILLISECONDS = 2000;
const byId = (id) => document.getElementById(id);

function element(tag, text = "", className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  node.className = className;
  return node;
}

function makeTable(titles, rows, textColumns, markFailed) {
  const table = element("table");
  const head = table.appendChild(element("tr"));
  titles.forEach((title, i) => head.append(element("th", title, textColumns.has(i) ? "text" : "")));
  for (const row of rows) {
    const line = table.appendChild(element("tr"));
    row.forEach((cell, i) => {
      const failed = markFailed.has(i) && cell > 0 ? "failed" : "";
      line.append(element("td", cell ?? "?", textColumns.has(i) ? "text" : failed));
    });
  }
  return table;
}

function showProgress(data) {
  const { total } = data;
  const ended = (total.done ?? 0) + (total.failed ?? 0) + (total.timeout ?? 0);
  const share = total.planned ? (100 * ended) / total.planned : data.state === "complete" ? 100 : 0;
  byId("bar").firstElementChild.style.width = `${Math.min(share, 100)}%`;
  const columns = ["algorithm", "dimension", "done", "planned", "running", "failed", "timeout", "missing"];
  const rows = data.rows.map((row) => columns.map((name) => row[name]));
  const titles = columns.map((name) => (name === "timeout" ? "time-out" : name));
  byId("progress").replaceChildren(makeTable(titles, rows, new Set([0]), new Set([5, 6])));
}

function showFailures(data) {
  byId("failures-title").textContent = data.failures.length ? "Failures" : "";
  const list = data.failures.map((failure) => {
    const item = element("details");
    const runs = failure.n_runs === 1 ? "run" : "runs";
    const [firstLine] = failure.message.split("\n");
    const status = failure.status === "timeout" ? "exceeded the time limit" : "failed";
    item.append(
      element("summary", `${failure.algorithm}: ${failure.n_runs} ${runs} ${status}: ${firstLine}`),
      element("pre", failure.message),
    );
    return item;
  });
  const more = data.n_failure_kinds - data.failures.length;
  if (more > 0) list.push(element("p", `and ${more} other errors`, "note"));
  byId("failures").replaceChildren(...list);
}

function svgNode(tag, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

function styleAttributes(style) {
  const dashes = style.dashes.map((length) => LINE_WIDTH * length).join(" ");
  return { stroke: style.colour, "stroke-width": LINE_WIDTH, "stroke-dasharray": dashes || "none", fill: "none" };
}

function drawPanel(panel, styles) {
  const [left, top, width, height] = [34, 8, 310, 180];
  const budgets = panel.curves.flatMap((curve) => curve.budgets);
  const low = Math.floor(Math.log10(Math.min(1, ...budgets)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...budgets)) - 1e-9));
  const x = (budget) => left + (width * (Math.log10(budget) - low)) / (high - low);
  const y = (share) => top + height * (1 - share);
  const svg = svgNode("svg", { viewBox: "0 0 352 222", role: "img" });
  for (let exponent = low; exponent <= high; exponent++) {
    svg.append(svgNode("line", { x1: x(10 ** exponent), x2: x(10 ** exponent), y1: top, y2: top + height, stroke: "#d5dae0" }));
    svg.append(svgNode("text", { x: x(10 ** exponent), y: top + height + 13, "text-anchor": "middle" }, `1e${exponent}`));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(svgNode("line", { x1: left, x2: left + width, y1: y(share), y2: y(share), stroke: "#d5dae0" }));
    svg.append(svgNode("text", { x: left - 4, y: y(share) + 3, "text-anchor": "end" }, `${100 * share} %`));
  }
  svg.append(svgNode("text", { x: left + width / 2, y: 218, "text-anchor": "middle" }, panel.axis));
  for (const curve of panel.curves) {
    const style = styles[curve.algorithm];
    let path = "";
    curve.budgets.forEach((budget, i) => {
      path += i ? `H${x(budget)}V${y(curve.shares[i])}` : `M${x(budget)} ${y(curve.shares[i])}`;
    });
    if (path) path += `H${left + width}`;
    const line = svgNode("path", { d: path, ...styleAttributes(style) });
    const title = curve.is_partial ? `${curve.algorithm} * (lacks problems that another algorithm has)` : curve.algorithm;
    line.append(svgNode("title", {}, title));
    svg.append(line);
    if (curve.cross !== null) {
      const reached = curve.shares[curve.budgets.findLastIndex((b) => b <= curve.cross * 1.000001)] ?? 0;
      svg.append(svgNode("text", { x: x(curve.cross), y: y(reached) + 4, "text-anchor": "middle", style: `fill:${style.colour};font-size:14px` }, "×"));
    }
  }
  const figure = element("figure");
  figure.append(element("figcaption", `${panel.suite}, ${panel.dimension}-D, ${panel.targets}`), svg);
  return figure;
}

function showEcdf(data) {
  const { ecdf } = data;
  byId("ecdf-title").textContent = ecdf ? `Function-target pairs solved, computed from ${ecdf.n_runs} runs` : "";
  const curves = (ecdf?.panels ?? []).flatMap((panel) => panel.curves);
  const partial = new Set(curves.filter((curve) => curve.is_partial).map((curve) => curve.algorithm));
  const names = [...new Set(curves.map((curve) => curve.algorithm))].sort();
  byId("keys").replaceChildren(...names.map((name) => {
    const key = svgNode("svg", { class: "key", viewBox: "0 0 32 8", "aria-hidden": "true" });
    key.append(svgNode("line", { x2: 32, y1: 4, y2: 4, ...styleAttributes(ecdf.styles[name]) }));
    const entry = element("span");
    entry.append(key, partial.has(name) ? `${name} *` : name);
    return entry;
  }));
  byId("panels").replaceChildren(...(ecdf?.panels ?? []).map((panel) => drawPanel(panel, ecdf.styles)));
  byId("ecdf-notes").replaceChildren(...(ecdf?.notes ?? []).map((note) => element("p", note, "note")));
}

function show(data) {
  document.title = `${data.description.split(":")[0]} – firsthit watch`;
  byId("log").textContent = data.log;
  byId("state").textContent = data.description;
  byId("state").className = data.state;
  byId("time").textContent = `runs counted at ${data.time}`;
  showProgress(data);
  showFailures(data);
  showEcdf(data);
  byId("notes").replaceChildren(...data.notes.map((note) => element("p", note, "note")));
}

let shown = "";
async function refresh() {
  try {
    const response = await fetch("data.json", { cache: "no-cache" });
    if (!response.ok) throw new Error(response.statusText);
    const text = await response.text();
    if (text !== shown) show(JSON.parse(text));
    shown = text;
  } catch (error) {
    byId("state").textContent = "the dashboard has ended; this is what it showed last";
    byId("state").className = "lost";
    shown = "";
  }
  setTimeout(refresh, REFRESH_MILLISECONDS);
}

const saved = byId("data").textContent;
if (saved) show(JSON.parse(saved));
else refresh();
