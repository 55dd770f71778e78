// Convergence: the median of the best precision so far, and the quartiles.
"use strict";

firsthit.panels.push({
  id: "convergence", function: null, bands: true, linearX: false, linearY: false,
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    const every = firsthit.data.convergence.filter(firsthit.here);
    const cells = every.filter((cell) => cell.function === this.function).sort((a, b) => (b.median.at(-1) ?? Infinity) - (a.median.at(-1) ?? Infinity));
    const algorithms = cells.map((cell) => cell.algorithm);
    const bands = this.bands && firsthit.bandsFit(algorithms);
    controls.replaceChildren(firsthit.bandsBox(this, algorithms, "bands: quartiles of the runs"), firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => {
      this.function = Number(value);
      firsthit.refresh("convergence");
    }), ...firsthit.axisChoices(this, ["x", "y"]));
    const floor = firsthit.data.smallest_precision;
    const smallest = firsthit.data.smallest_target;
    // precisions may be below 0 on some suites; where none shown is, but for rounding, a logarithmic axis tells more
    const isBelow = (value) => value !== null && value < -smallest / 10;
    const signed = firsthit.data.signed[firsthit.choice.suite] && cells.some((cell) => [cell.low, cell.median, cell.high].some((one) => one.some(isBelow)));
    const height = (value) => {
      if (value === null) return null;
      return signed ? firsthit.onBothSides(value, smallest) : Math.max(value, floor);
    };
    const drawn = cells.flatMap((cell) => (bands ? [cell.low, cell.median, cell.high] : [cell.median]).flat()).filter((value) => value !== null);
    const traces = cells.flatMap((cell) => {
      const { algorithm } = cell;
      const x = cell.budget;
      const { line } = firsthit.style(algorithm);
      const name = firsthit.starredLabel(algorithm);
      return [
        ...(bands ? [{
          algorithm, x: [...x, ...[...x].reverse()], y: [...cell.high, ...[...cell.low].reverse()].map(height),
          fill: "toself", fillcolor: firsthit.translucent(algorithm), line: { width: 0 }, mode: "lines", hoverinfo: "skip", showlegend: false,
        }] : []),
        {
          algorithm, x, y: cell.median.map(height), customdata: cell.median, mode: "lines", line, name,
          hovertemplate: `${firsthit.hoverName(algorithm)}<br>median %{customdata:.3g} after %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
        },
      ];
    });
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    await firsthit.plot(host, traces, firsthit.withChosenAxes(this, firsthit.layout(firsthit.budgetUnit(), "best precision so far", {
      xaxis: firsthit.withinData(every.flatMap((cell) => cell.budget.filter((budget, i) => cell.median[i] !== null))),
      yaxis: signed ? firsthit.decadesOnBothSides(drawn, smallest) : firsthit.decades(drawn.map(height)), showlegend: true,
    })));
    const rows = () => cells.flatMap((cell) => cell.budget.map((budget, i) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
      budget, quartile_25: cell.low[i], median: cell.median[i], quartile_75: cell.high[i],
    })));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    const dimension = firsthit.choice.dimension;
    // budgets are shown with five digits: evaluations are whole numbers
    const whole = (budget) => (firsthit.isTimed() ? budget : Math.floor(budget * dimension * 1.0001));
    const budgets = new Set((cells[0]?.budget ?? []).map(whole).filter((one) => one > 0));
    return { plots: [host], rows, command: `firsthit assess fixed-budget ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${dimension} --functions ${this.function} --budgets ${[...budgets].join(",")}${firsthit.countOption()} --format csv` };
  },
});
