// Average runtimes against the dimension.
"use strict";

firsthit.panels.push({
  id: "scaling", target: null, function: null,
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    const reached = new Set(firsthit.rows(firsthit.data.art.cells, (row) =>
      row.suite === firsthit.choice.suite && row.function === this.function && row.art !== null).map((row) => row[firsthit.artKey()]));
    const targets = firsthit.artTargets();
    if (!targets.includes(this.target)) this.target = targets.findLast((target) => reached.has(target)) ?? targets.at(-1);
    controls.replaceChildren(
      firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => { this.function = Number(value); firsthit.refresh("scaling"); }),
      firsthit.select("target", targets.map((t) => [t, firsthit.keyText(t)]), this.target, (value) => { this.target = Number(value); firsthit.refresh("scaling"); }));
    const cells = firsthit.rows(firsthit.data.art.cells, (row) =>
      row.suite === firsthit.choice.suite && row.function === this.function && row[firsthit.artKey()] === this.target);
    const traces = firsthit.data.algorithms.flatMap((_, algorithm) => {
      const name = firsthit.escape(firsthit.short(firsthit.starred(algorithm), 42));
      const found = cells.filter((cell) => cell.algorithm === algorithm && cell.art !== null).sort((a, b) => a.dimension - b.dimension);
      if (!found.length) return [];
      const over = (key) => found.map((cell) => (cell[key] === null || cell[key] === undefined ? 0 : Math.abs(cell[key] - cell.art) / firsthit.unit(cell.dimension)));
      return [{
        algorithm, name, mode: "lines+markers", ...firsthit.style(algorithm),
        x: found.map((cell) => cell.dimension), y: found.map((cell) => cell.art / firsthit.unit(cell.dimension)),
        error_y: { type: "data", symmetric: false, array: over("high"), arrayminus: over("low"), thickness: 1, width: 4 },
        customdata: found.map((cell) => [cell.successes, cell.runs]),
        hovertemplate: `${name}<br>%{x}-D: %{y:.4g}, %{customdata[0]} of %{customdata[1]} runs<extra></extra>`,
      }];
    });
    traces.sort((a, b) => b.x.at(-1) - a.x.at(-1) || b.y.at(-1) - a.y.at(-1));
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const dimensions = firsthit.suite().dimensions;
    const annotations = traces.length ? [] : [{ text: "no run reached this target", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }];
    await firsthit.plot(host, traces, firsthit.layout("dimension", firsthit.isTimed() ? "aRT (seconds)" : "aRT / dimension", {
      xaxis: { type: "log", tickvals: dimensions, ticktext: dimensions.map(String), range: [Math.log10(dimensions[0] / 1.2), Math.log10(dimensions.at(-1) * 1.2)] }, yaxis: firsthit.decades(traces.flatMap((trace) => trace.y.flatMap((y, i) => [y - trace.error_y.arrayminus[i], y + trace.error_y.array[i]]))), showlegend: true, annotations,
    }));
    const rows = () => cells.map((cell) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
      ...(cell.budget === undefined ? {} : { budget: cell.budget }), target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
    }));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return { plots: [host], rows, command: `firsthit assess art ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --functions ${this.function}${firsthit.targetsOption([this.target])}${firsthit.artKey() === "budget" ? firsthit.referenceOption() : ""}${firsthit.countOption()} --format csv` };
  },
});
