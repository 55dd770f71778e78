// Best precision at evaluation counts: the median of the runs and the quartiles.
"use strict";

firsthit.panels.push({
  id: "fixed-budget", function: null,
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    controls.replaceChildren(firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => {
      this.function = Number(value);
      firsthit.refresh("fixed-budget");
    }));
    const cells = firsthit.data.fixed_budget.filter((cell) => firsthit.here(cell) && cell.function === this.function);
    const floor = firsthit.data.smallest_precision;
    const signed = firsthit.data.signed[firsthit.choice.suite];
    const height = (value) => (value === null || signed ? value : Math.max(value, floor));
    const traces = cells.flatMap((cell) => {
      const { algorithm } = cell;
      const x = cell.budget;
      const { line } = firsthit.style(algorithm);
      return [
        {
          algorithm, x: [...x, ...[...x].reverse()], y: [...cell.high, ...[...cell.low].reverse()].map(height),
          fill: "toself", fillcolor: firsthit.translucent(algorithm), line: { width: 0 }, mode: "lines", hoverinfo: "skip", showlegend: false,
        },
        {
          algorithm, x, y: cell.median.map(height), mode: "lines", line, name: firsthit.label(algorithm),
          hovertemplate: `${firsthit.label(algorithm)}<br>median %{y:.3g} after %{x:.4g} · D<extra></extra>`,
        },
      ];
    });
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    await firsthit.plot(host, traces, firsthit.layout("evaluations / dimension", "best precision so far", {
      xaxis: { type: "log" }, yaxis: { type: signed ? "linear" : "log" }, showlegend: true,
    }));
    const rows = () => cells.flatMap((cell) => cell.budget.map((budget, i) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
      budget, quartile_25: cell.low[i], median: cell.median[i], quartile_75: cell.high[i],
    })));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return { plots: [host], rows, command: `firsthit assess fixed-budget ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${firsthit.choice.dimension} --functions ${this.function} --budgets '${firsthit.data.curve_budgets}' --format csv` };
  },
});
