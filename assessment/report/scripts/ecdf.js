// Runtime profiles of the chosen functions; the other sections of profiles use these functions, too.
"use strict";

firsthit.budgets = (curve) => curve.budgets ??
  curve.fraction.map((_, i) => 10 ** ((curve.first + i) / firsthit.data.ecdf.points_per_decade));

// Curves of a group, the highest end first: the legend follows it.
firsthit.curves = (group, data = firsthit.data) => data.ecdf.curves
  .filter((curve) => firsthit.here(curve) && curve.group === group)
  .sort((a, b) => (b.fraction.at(-1) ?? 0) - (a.fraction.at(-1) ?? 0) || a.first - b.first || a.fraction.length - b.fraction.length);

// Those of the reference: its own, or those of the algorithm that it is.
firsthit.referenceCurves = (group) => {
  if (!firsthit.data.reference || !firsthit.showReference) return [];
  if (firsthit.profileTarget !== "all") return averageReference(group);
  const { algorithm } = firsthit.data.reference;
  const curves = algorithm === null ? firsthit.data.ecdf.reference : firsthit.data.ecdf.curves.filter((curve) => curve.algorithm === algorithm);
  return curves.filter((curve) => firsthit.here(curve) && curve.group === group);
};

// Profiles of others, thin and grey behind; their names are shown on hover.
firsthit.backgroundLines = (group, end) => firsthit.profileTarget !== "all" ? [] : firsthit.data.ecdf.background
  .filter((curve) => firsthit.here(curve) && curve.group === group)
  .map((curve) => ({
    x: [...firsthit.budgets(curve).map((budget) => Math.min(budget, end)), end], y: [...curve.fraction, curve.fraction.at(-1)], mode: "lines",
    line: { color: "rgba(128, 128, 128, 0.45)", width: 1, shape: "hv" }, showlegend: false, name: firsthit.escape(curve.name),
    hovertemplate: `${firsthit.escape(firsthit.short(curve.name, 40))}<br>%{y:.3f} within %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
  }));

// A sentence on them, where there are any.
firsthit.backgroundCaption = (group) => {
  const n = firsthit.backgroundLines(group, 1).length;
  return n ? [firsthit.element("span", { class: "caption" }, `Thin and grey: ${n} other algorithm${n > 1 ? "s" : ""}; the mouse shows their names.`)] : [];
};

// Profiles to one target: the share of functions whose average runtime to it is within the budget.
firsthit.profileTarget = "all";
firsthit.checkProfileTarget = () => {
  if (!firsthit.artTargets().includes(firsthit.profileTarget)) firsthit.profileTarget = "all";
};
let averages = { key: "", cells: [] };
const averagesHere = () => {
  const { suite, dimension } = firsthit.choice;
  const key = `${suite} ${dimension} ${firsthit.profileTarget} ${firsthit.data.axis}`;
  if (averages.key !== key) {
    averages = { key, cells: firsthit.rows(firsthit.data.art.cells, (row) => firsthit.here(row) && row[firsthit.artKey()] === firsthit.profileTarget) };
  }
  return averages.cells;
};
const averageCurve = (group, functions, algorithm, known) => {
  const { suite, dimension } = firsthit.choice;
  const reached = known.filter((art) => typeof art === "number").map((art) => art / firsthit.unit(dimension)).sort((a, b) => a - b);
  return {
    algorithm, suite, dimension, group, [firsthit.artKey()]: firsthit.profileTarget, partial: false,
    budgets: [Math.min(1, ...reached), ...reached], fraction: [0, ...reached.map((_, i) => (i + 1) / functions.length)],
  };
};
// Functions of a group that all algorithms were run on, and the cells of one algorithm there.
const averagesOf = (group) => {
  const cells = averagesHere();
  const algorithms = [...new Set(cells.map((cell) => cell.algorithm))];
  const has = new Set(cells.map((cell) => `${cell.algorithm} ${cell.function}`));
  const functions = firsthit.functionsOf(group).filter((f) => algorithms.every((a) => has.has(`${a} ${f}`)));
  const of = (algorithm) => cells.filter((cell) => cell.algorithm === algorithm && functions.includes(cell.function));
  return { algorithms, functions, of };
};
const ahead = (a, b) => b.fraction.at(-1) - a.fraction.at(-1) || (a.budgets[1] ?? Infinity) - (b.budgets[1] ?? Infinity) || 0;
firsthit.shownCurves = (group) => {
  if (firsthit.profileTarget === "all") return firsthit.curves(group);
  const { algorithms, functions, of } = averagesOf(group);
  if (!functions.length) return [];
  return algorithms.map((a) => averageCurve(group, functions, a, of(a).map((cell) => cell.art))).sort(ahead);
};
const averageReference = (group) => {
  const { algorithms, functions, of } = averagesOf(group);
  const { algorithm } = firsthit.data.reference;
  const known = functions.length ? of(algorithm ?? algorithms[0]).map((cell) => (algorithm === null ? cell.reference : cell.art)) : [""];
  return known.includes("") ? [] : [averageCurve(group, functions, algorithm, known)];
};

// All profiles of a suite and dimension have one range of budgets.
const profileRange = () => {
  const references = firsthit.showReference ? firsthit.data.ecdf.reference : [];
  const curves = [...firsthit.data.ecdf.curves, ...references].filter(firsthit.here);
  const ends = curves
    .flatMap((curve) => [(curve.first + curve.fraction.length - 1) / firsthit.data.ecdf.points_per_decade, Math.log10(curve.marker?.[0] ?? 1)]);
  if (!firsthit.isTimed()) return [1, 10 ** Math.max(1, ...ends)];
  const first = Math.floor(Math.min(0, ...curves.map((curve) => curve.first)) / firsthit.data.ecdf.points_per_decade);
  return [10 ** first, 10 ** Math.max(first + 1, ...ends)];
};

firsthit.profileAxes = (small) => {
  const marked = firsthit.markedBudget;
  const line = { type: "line", x0: marked, x1: marked, y0: 0, y1: 1, yref: "paper", line: { dash: "dot", width: 1.5, color: "#7f7f7f" } };
  return firsthit.withChosenAxes(firsthit.panel("ecdf"), firsthit.layout(firsthit.budgetUnit(), firsthit.profileTarget !== "all" ? "share of functions" : small ? "share of pairs" : "share of function-target pairs", {
    xaxis: firsthit.decades(profileRange(), { range: profileRange().map(Math.log10) }), yaxis: { range: [0, 1.02] }, showlegend: !small,
    shapes: marked ? [line] : [],
    ...(small ? { margin: { l: 45, r: 5, t: 5, b: 40 }, font: { ...firsthit.layout("", "").font, size: 10 } } : {}),
  }));
};

firsthit.showsSingleRuns = () => firsthit.panel("ecdf").singleRuns && firsthit.singleRunsExist() && firsthit.profileTarget === "all";
const singleRunsBox = (panel) => {
  const box = firsthit.checkbox(firsthit.singleRunsExist() ? "single runs" : "single runs: this page has too many, or seconds", firsthit.showsSingleRuns(), (isOn) => {
    panel.singleRuns = isOn;
    ["ecdf", "functions"].forEach(firsthit.refresh);
  });
  box.firstElementChild.disabled = !firsthit.singleRunsExist();
  return box;
};

firsthit.profileLines = (group, curves, references, bands, singleRuns = false) => {
  const [, end] = profileRange(); // after its last step a curve stays where it is
  const lines = [];
  const behind = references.map((curve) => {
    const name = `reference: ${firsthit.escape(firsthit.short(firsthit.referenceName(), 30))}`;
    return {
      x: [...firsthit.budgets(curve), end], y: [...curve.fraction, curve.fraction.at(-1)], mode: "lines", line: { color: firsthit.layout("", "").xaxis.linecolor, width: 9, shape: "hv" },
      name, legendrank: 2000, hovertemplate: `${name}<br>%{y:.3f} within %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
    };
  });
  for (const curve of curves) {
    const { algorithm } = curve;
    const { line, marker } = firsthit.style(algorithm);
    const x = firsthit.budgets(curve);
    if (bands && curve.low) {
      behind.push({
        algorithm, x: [...x, ...[...x].reverse()], y: [...curve.high, ...[...curve.low].reverse()],
        fill: "toself", fillcolor: firsthit.translucent(algorithm), line: { width: 0 }, mode: "lines",
        hoverinfo: "skip", showlegend: false, name: `${firsthit.label(algorithm)} band`,
      });
    }
    lines.push({
      algorithm, x: [...x, end], y: [...curve.fraction, curve.fraction.at(-1)], mode: "lines", line: { ...line, shape: "hv" },
      name: firsthit.curveLabel(curve),
      hovertemplate: `${firsthit.hoverName(algorithm)}<br>%{y:.3f} within %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
    });
    if (curve.marker) {
      lines.push({
        algorithm, x: [curve.marker[0]], y: [curve.marker[1]], mode: "markers", showlegend: false, cliponaxis: false,
        marker: { ...marker, symbol: "x-thin", size: 12, line: { color: marker.color, width: 3 } },
        name: firsthit.label(algorithm),
        hovertemplate: `${firsthit.hoverName(algorithm)}<br>longest unsuccessful runs (median): %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
      });
    }
  }
  const runs = singleRuns ? firsthit.singleRunLines(group, curves.map((curve) => curve.algorithm)) : [];
  return [...firsthit.backgroundLines(group, end), ...behind, ...runs, ...lines];
};

firsthit.profileRows = (curves) => curves.flatMap((curve) => firsthit.budgets(curve).map((budget, i) => ({
  algorithm: curve.algorithm === null ? firsthit.referenceName() : firsthit.name(curve.algorithm), suite: firsthit.suite().name, dimension: curve.dimension,
  group: curve.group, ...(curve[firsthit.artKey()] === undefined ? {} : { [firsthit.artKey()]: curve[firsthit.artKey()] }), [firsthit.budgetColumn()]: budget, fraction: curve.fraction[i],
  ...(curve.low ? { low: curve.low[i], high: curve.high[i] } : {}),
})));

firsthit.averagesCommand = () => `firsthit assess art ${firsthit.selection()}${firsthit.targetsOption([firsthit.profileTarget])}${firsthit.referenceOption()}${firsthit.countOption()} --format csv`;

firsthit.panels.push({
  id: "ecdf", bands: true, linearX: false, singleRuns: false,
  async draw({ figure, controls }) {
    const targets = firsthit.artTargets();
    firsthit.checkProfileTarget();
    const isOne = firsthit.profileTarget !== "all";
    const curves = firsthit.shownCurves(firsthit.choice.group);
    const references = firsthit.referenceCurves(firsthit.choice.group);
    const algorithms = curves.map((curve) => curve.algorithm);
    const marked = firsthit.markedBudget
      ? [firsthit.element("button", { type: "button", onclick: () => { firsthit.markedBudget = null; firsthit.refresh(); } }, `${firsthit.power(firsthit.markedBudget)} ${firsthit.budgetUnit()} marked: remove`)]
      : [];
    const choice = firsthit.select("target", [["all", "all"], ...targets.map((t) => [t, firsthit.keyText(t)])], firsthit.profileTarget, (value) => {
      firsthit.profileTarget = value === "all" ? value : Number(value);
      ["ecdf", "functions"].forEach(firsthit.refresh);
    });
    const caption = firsthit.element("span", { class: "caption" }, "Share of the functions that all were run on whose average runtime (aRT) to this target is within the budget.");
    controls.replaceChildren(choice, ...(isOne ? [caption] : [firsthit.bandsBox(this, algorithms, "95 % bands"), singleRunsBox(this)]), ...firsthit.axisChoices(this, ["x"], ["ecdf", "functions"]), ...marked, ...firsthit.referenceBox(firsthit.data.ecdf.notes), ...firsthit.backgroundCaption(firsthit.choice.group), ...firsthit.basis(firsthit.data.ecdf.basis));
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    await firsthit.plot(host, firsthit.profileLines(firsthit.choice.group, curves, references, this.bands && firsthit.bandsFit(algorithms), firsthit.showsSingleRuns()), firsthit.profileAxes(false));
    const { group } = firsthit.choice;
    const by = firsthit.suite().groups[group] ? "group" : group === "all" ? "all" : "function";
    return { plots: [host], rows: () => firsthit.profileRows([...curves, ...references.filter((curve) => curve.algorithm === null)]), command: isOne ? firsthit.averagesCommand() : `firsthit assess ecdf ${firsthit.selection()}${firsthit.askedTargetsOption()} --group-by ${by}${firsthit.referenceOption()}${firsthit.countOption()} --format csv` };
  },
});
