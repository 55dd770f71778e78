// All algorithms with the interval of the share of pairs that they solved within a budget.
"use strict";

firsthit.panels.push({
  id: "forest", budget: null,
  async draw({ figure, controls }) {
    const standings = firsthit.data.standings.filter(firsthit.here);
    const hasGroup = standings.some((cell) => cell.group === firsthit.choice.group);
    const group = hasGroup ? firsthit.choice.group : "all";
    const cells = standings.filter((cell) => cell.group === group);
    const budgets = cells.map((cell) => cell.budget);
    if (!budgets.includes(this.budget)) this.budget = budgets.at(-1) ?? null;
    const budgetChoice = firsthit.select(`budget (${firsthit.budgetUnit()})`, budgets.map((budget) => [budget, firsthit.power(budget)]), this.budget, (value) => {
      this.budget = Number(value);
      firsthit.refresh("forest");
    });
    const note = hasGroup ? [] : [firsthit.element("span", { class: "caption" }, "Of all functions, because this function is not compared by itself.")];
    controls.replaceChildren(budgetChoice, ...note);
    const ranked = (cells.find((cell) => cell.budget === this.budget)?.places ?? []).filter(([algorithm]) => !firsthit.hidden.has(algorithm));
    const isNarrow = window.innerWidth < 700;
    const labels = ranked.map(([algorithm]) => isNarrow ? firsthit.escape(firsthit.short(firsthit.shortName(algorithm), 16)) : firsthit.label(algorithm));
    const traces = ranked.map(([algorithm, share, low, high], row) => {
      const error = low === null ? {} : { error_x: { type: "data", symmetric: false, array: [100 * (high - share)], arrayminus: [100 * (share - low)], thickness: 2, width: 5 } };
      const interval = low === null ? "too few runs for an interval" : `95 %: ${firsthit.percent(low)} … ${firsthit.percent(high)}`;
      return {
        algorithm, name: firsthit.label(algorithm), x: [100 * share], y: [row], mode: "markers", ...firsthit.style(algorithm), ...error,
        hovertemplate: `${firsthit.hoverName(algorithm)}<br>${firsthit.percent(share)}<br>${interval}<extra></extra>`,
      };
    });
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    host.style.height = `${6 + 1.7 * Math.max(ranked.length, 3)}rem`;
    const best = ranked.length ? [{ type: "line", x0: 100 * ranked[0][1], x1: 100 * ranked[0][1], y0: 0, y1: 1, yref: "paper", line: { dash: "dot", width: 1, color: "#7f7f7f" } }] : [];
    await firsthit.plot(host, traces, firsthit.layout(isNarrow ? "pairs solved (%)" : "pairs solved within the budget (%)", "", {
      xaxis: { range: [-2, 102] }, shapes: best,
      yaxis: { tickvals: labels.map((_, row) => row), ticktext: labels, range: [ranked.length - 0.5, -0.5], zeroline: false },
    }));
    const rows = () => ranked.map(([algorithm, share, low, high]) => ({
      algorithm: firsthit.name(algorithm), suite: firsthit.suite().name, dimension: firsthit.choice.dimension, group, [firsthit.budgetColumn()]: this.budget, share, low, high,
    }));
    return { plots: [host], rows, command: `firsthit assess ecdf ${firsthit.selection()} --runtimes runs${firsthit.countOption()}` };
  },
});
