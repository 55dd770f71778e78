// Average runtimes: the table of all targets, and their scaling with the dimension.
"use strict";

const shownTargets = () => firsthit.data.art.targets;
const artCell = (row, target) => {
  const found = row.at[target];
  if (!found) return document.createTextNode("–");
  const of = found.successes < found.runs ? ` ${found.successes}/${found.runs}` : "";
  const node = firsthit.element("span", { title: found.tip },
    found.art === null ? "∞" : firsthit.number(found.art), firsthit.element("span", { class: "of" }, `${of}${found.star ? " ★" : ""}`));
  return node;
};

firsthit.panels.push({
  id: "art",
  async draw({ figure }) {
    const functions = new Set(firsthit.chosenFunctions());
    const cells = firsthit.rows(firsthit.data.art.cells, (row) => firsthit.here(row) && functions.has(row.function) && !firsthit.hidden.has(row.algorithm));
    const lines = new Map();
    const best = new Map();
    for (const cell of cells) {
      const key = `${cell.function} ${cell.algorithm}`;
      if (!lines.has(key)) {
        lines.set(key, { function: cell.function, algorithm: firsthit.name(cell.algorithm), runs: cell.runs, at: {} });
      }
      const line = lines.get(key);
      const interval = cell.low === undefined ? "" : `95 % interval ${firsthit.number(cell.low)} … ${firsthit.number(cell.high)}`;
      line.at[cell.target] = { ...cell, tip: interval };
      line[`t${cell.target}`] = cell.art;
      const spot = `${cell.function} ${cell.target}`;
      if (cell.art !== null && !(cell.art >= best.get(spot))) best.set(spot, cell.art);
    }
    const columns = [
      { key: "function", title: "f", text: (row) => firsthit.functionTitle(row.function) },
      { key: "algorithm", title: "algorithm", cell: (row) => firsthit.element("bdi", {}, firsthit.short(row.algorithm)) },
      { key: "runs", title: "runs", number: true },
      ...shownTargets().map((target) => ({
        key: `t${target}`, title: firsthit.target(target), number: true,
        cell: (row) => artCell(row, target),
        mark: (row) => row[`t${target}`] !== null && row[`t${target}`] === best.get(`${row.function} ${target}`),
      })),
    ];
    firsthit.table(figure, columns, [...lines.values()], { label: "average runtimes" });
    const rows = () => cells.map((cell) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function,
      dimension: cell.dimension, target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
      ...(cell.low === undefined ? {} : { low: cell.low, high: cell.high }),
    }));
    return { plots: [], rows, command: `firsthit assess art ${firsthit.selection()} --targets ${shownTargets().map(firsthit.target).join(",")} --format csv` };
  },
});

firsthit.panels.push({
  id: "scaling", target: null, function: null,
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    this.target ??= shownTargets().at(-1);
    controls.replaceChildren(
      firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => { this.function = Number(value); firsthit.refresh("scaling"); }),
      firsthit.select("target", shownTargets().map((t) => [t, firsthit.target(t)]), this.target, (value) => { this.target = Number(value); firsthit.refresh("scaling"); }));
    const cells = firsthit.rows(firsthit.data.art.cells, (row) =>
      row.suite === firsthit.choice.suite && row.function === this.function && row.target === this.target);
    const traces = firsthit.data.algorithms.flatMap((_, algorithm) => {
      const found = cells.filter((cell) => cell.algorithm === algorithm && cell.art !== null).sort((a, b) => a.dimension - b.dimension);
      if (!found.length) return [];
      const over = (key) => found.map((cell) => (cell[key] === null || cell[key] === undefined ? 0 : Math.abs(cell[key] - cell.art) / cell.dimension));
      return [{
        algorithm, name: firsthit.label(algorithm), mode: "lines+markers", ...firsthit.style(algorithm),
        x: found.map((cell) => cell.dimension), y: found.map((cell) => cell.art / cell.dimension),
        error_y: { type: "data", symmetric: false, array: over("high"), arrayminus: over("low"), thickness: 1, width: 4 },
        customdata: found.map((cell) => [cell.successes, cell.runs]),
        hovertemplate: `${firsthit.label(algorithm)}<br>%{x}-D: %{y:.4g}, %{customdata[0]} of %{customdata[1]} runs<extra></extra>`,
      }];
    });
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const dimensions = firsthit.suite().dimensions;
    await firsthit.plot(host, traces, firsthit.layout("dimension", "aRT / dimension", {
      xaxis: { type: "log", tickvals: dimensions, ticktext: dimensions.map(String) }, yaxis: { type: "log" }, showlegend: true,
    }));
    const rows = () => cells.map((cell) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
      target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
    }));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return { plots: [host], rows, command: `firsthit assess art ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --functions ${this.function} --targets ${firsthit.target(this.target)} --format csv` };
  },
});
