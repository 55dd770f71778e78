// Average runtimes against the dimension.
"use strict";

// Average runtimes to one target of a function in all dimensions.
firsthit.scalingCells = (number, target) => firsthit.rows(firsthit.data.art.cells, (row) =>
  row.suite === firsthit.choice.suite && row.function === number && row[firsthit.artKey()] === target);

// A curve for each algorithm, the largest dimension and runtime first: the legend follows it.
firsthit.scalingTraces = (cells) => {
  const hasBars = firsthit.bandsFit(cells.map((cell) => cell.algorithm));
  const traces = firsthit.data.algorithms.flatMap((_, algorithm) => {
    const name = firsthit.starredLabel(algorithm);
    const found = cells.filter((cell) => cell.algorithm === algorithm && cell.art !== null).sort((a, b) => a.dimension - b.dimension);
    if (!found.length) return [];
    const over = (key) => found.map((cell) => (cell[key] === null || cell[key] === undefined ? 0 : Math.abs(cell[key] - cell.art) / firsthit.unit(cell.dimension)));
    return [{
      algorithm, name, mode: "lines+markers", ...firsthit.style(algorithm),
      x: found.map((cell) => cell.dimension), y: found.map((cell) => cell.art / firsthit.unit(cell.dimension)),
      error_y: { visible: hasBars, type: "data", symmetric: false, array: over("high"), arrayminus: over("low"), thickness: 1, width: 4 },
      customdata: found.map((cell) => [cell.successes, cell.runs]),
      hovertemplate: `${firsthit.hoverName(algorithm)}<br>%{x}-D: %{y:.4g}, %{customdata[0]} of %{customdata[1]} runs<extra></extra>`,
    }];
  });
  return traces.sort((a, b) => b.x.at(-1) - a.x.at(-1) || b.y.at(-1) - a.y.at(-1));
};

firsthit.scalingRows = (cells) => cells.map((cell) => ({
  algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
  ...(cell.budget === undefined ? {} : { budget: cell.budget }), target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
}));

firsthit.scalingCommand = (functions, target) => {
  const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
  const reference = firsthit.artKey() === "budget" ? firsthit.referenceOption() : "";
  return `firsthit assess art ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --functions ${functions.join(",")}${firsthit.targetsOption([target])}${reference}${firsthit.countOption()} --format csv`;
};

firsthit.panels.push({
  id: "scaling", target: null, function: null, linearX: false, linearY: false,
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    const reached = new Set(firsthit.rows(firsthit.data.art.cells, (row) =>
      row.suite === firsthit.choice.suite && row.function === this.function && row.art !== null).map((row) => row[firsthit.artKey()]));
    const targets = firsthit.artTargets();
    if (!targets.includes(this.target)) this.target = targets.findLast((target) => reached.has(target)) ?? targets.at(-1);
    controls.replaceChildren(
      firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => { this.function = Number(value); firsthit.refresh("scaling"); }),
      firsthit.select("target", targets.map((t) => [t, firsthit.keyText(t)]), this.target, (value) => { this.target = Number(value); firsthit.refresh("scaling"); }),
      ...firsthit.axisChoices(this, ["x", "y"]));
    const cells = firsthit.scalingCells(this.function, this.target);
    const traces = firsthit.scalingTraces(cells);
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const dimensions = firsthit.suite().dimensions;
    const annotations = traces.length ? [] : [{ text: "no run reached this target", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }];
    await firsthit.plot(host, traces, firsthit.withChosenAxes(this, firsthit.layout("dimension", firsthit.isTimed() ? "aRT (seconds)" : "aRT / dimension", {
      xaxis: { type: "log", tickvals: dimensions, ticktext: dimensions.map(String), range: [Math.log10(dimensions[0] / 1.2), Math.log10(dimensions.at(-1) * 1.2)] }, yaxis: firsthit.decades(traces.flatMap(({ y, error_y: bars }) => (bars.visible ? y.flatMap((art, i) => [art - bars.arrayminus[i], art + bars.array[i]]) : y))), showlegend: true, annotations,
    })));
    return { plots: [host], rows: () => firsthit.scalingRows(cells), command: firsthit.scalingCommand([this.function], this.target) };
  },
});
