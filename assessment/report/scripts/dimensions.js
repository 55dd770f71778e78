// Profiles of one algorithm in all dimensions: all functions, and each group of functions.
"use strict";

// Dimensions are ordered: their colours go from blue to red, and their dashes differ.
const DASHES_OF_DIMENSIONS = ["solid", "8px,4px", "2px,3px", "8px,3px,2px,3px", "14px,4px", "14px,3px,2px,3px"];
const lineOfDimension = (index, count) => ({
  color: `hsl(${Math.round(250 - (250 * index) / Math.max(count - 1, 1))} 75% ${document.documentElement.dataset.theme === "dark" ? 65 : 42}%)`,
  dash: DASHES_OF_DIMENSIONS[index % DASHES_OF_DIMENSIONS.length], width: 2, shape: "hv",
});

firsthit.panels.push({
  id: "dimensions", algorithm: null, linearX: false,
  curves(group) {
    return firsthit.data.ecdf.curves.filter((curve) => curve.suite === firsthit.choice.suite && curve.algorithm === this.algorithm && curve.group === group);
  },
  traces(group) {
    const { dimensions } = firsthit.suite();
    const { points_per_decade: perDecade, curves } = firsthit.data.ecdf;
    const end = 10 ** (Math.max(...curves.filter((curve) => curve.suite === firsthit.choice.suite).map((curve) => curve.first + curve.fraction.length - 1)) / perDecade);
    return this.curves(group).sort((a, b) => a.dimension - b.dimension).map((curve) => ({
      x: [...firsthit.budgets(curve), end], y: [...curve.fraction, curve.fraction.at(-1)], mode: "lines", name: `${curve.dimension}-D`, visible: true, meta: { isPlain: true },
      line: lineOfDimension(dimensions.indexOf(curve.dimension), dimensions.length),
      hovertemplate: `${curve.dimension}-D<br>%{y:.3f} within %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
    }));
  },
  layout(traces, isSmall) {
    const smallChanges = isSmall ? { margin: { l: 45, r: 5, t: 5, b: 40 }, font: { ...firsthit.layout("", "").font, size: 10 } } : {};
    return firsthit.withChosenAxes(this, firsthit.layout(firsthit.budgetUnit(), "share of pairs", {
      xaxis: firsthit.withinData(traces.flatMap((trace) => [trace.x[0], trace.x.at(-1)])), yaxis: { range: [0, 1.02] }, showlegend: !isSmall, ...smallChanges,
    }));
  },
  async draw({ figure, controls }) {
    const algorithms = firsthit.data.algorithms.map((_, algorithm) => algorithm)
      .filter((algorithm) => firsthit.data.ecdf.curves.some((curve) => curve.suite === firsthit.choice.suite && curve.algorithm === algorithm));
    if (!algorithms.includes(this.algorithm)) [this.algorithm] = algorithms;
    controls.replaceChildren(
      firsthit.select("algorithm", algorithms.map((algorithm) => [algorithm, firsthit.shortName(algorithm)]), this.algorithm, (value) => {
        this.algorithm = Number(value);
        firsthit.refresh("dimensions");
      }), ...firsthit.axisChoices(this, ["x"]));
    const groups = firsthit.choice.group === "all" ? ["all", ...Object.keys(firsthit.suite().groups)] : [firsthit.choice.group];
    if (figure.dataset.groups !== groups.join()) {
      figure.dataset.groups = groups.join();
      const cell = (group, isSmall) => firsthit.element("div", { "data-group": group },
        firsthit.element("h3", {}, firsthit.groupTitle(group)), firsthit.element("div", { class: isSmall ? "plot small" : "plot" }));
      figure.replaceChildren(cell(groups[0], false), firsthit.element("div", { class: "grid" }, ...groups.slice(1).map((group) => cell(group, true))));
    }
    const cells = [...figure.querySelectorAll("[data-group]")];
    firsthit.whenSeen(this.id, cells, async (cell) => {
      const traces = this.traces(cell.dataset.group);
      await firsthit.plot(cell.querySelector(".plot"), traces, this.layout(traces, cell.querySelector(".small") !== null));
    });
    const rows = () => groups.flatMap((group) => firsthit.profileRows(this.curves(group)));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return {
      plots: cells.map((cell) => cell.querySelector(".plot")), rows,
      command: `firsthit assess ecdf ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --algorithms ${firsthit.quoted(firsthit.name(this.algorithm))}${firsthit.askedTargetsOption()} --group-by all,group${firsthit.countOption()} --format csv`,
    };
  },
});
