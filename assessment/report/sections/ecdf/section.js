// Runtime profiles of the chosen functions; the other sections of profiles use these functions, too.
"use strict";

firsthit.budgets = (curve) =>
  curve.fraction.map((_, i) => 10 ** ((curve.first + i) / firsthit.data.ecdf.points_per_decade));

// Curves of a group, the highest end first: the legend follows it.
firsthit.curves = (group) => firsthit.data.ecdf.curves
  .filter((curve) => firsthit.here(curve) && curve.group === group)
  .sort((a, b) => (b.fraction.at(-1) ?? 0) - (a.fraction.at(-1) ?? 0) || a.first - b.first || a.fraction.length - b.fraction.length);

// All profiles of a suite and dimension have one range of budgets.
const profileRange = () => {
  const ends = firsthit.data.ecdf.curves.filter(firsthit.here)
    .flatMap((curve) => [(curve.first + curve.fraction.length - 1) / firsthit.data.ecdf.points_per_decade, Math.log10(curve.marker?.[0] ?? 1)]);
  return [1, 10 ** Math.max(1, ...ends)];
};

firsthit.profileAxes = (small) => {
  const marked = firsthit.markedBudget;
  const line = { type: "line", x0: marked, x1: marked, y0: 0, y1: 1, yref: "paper", line: { dash: "dot", width: 1.5, color: "#7f7f7f" } };
  return firsthit.layout("evaluations / dimension", small ? "share of pairs" : "share of function-target pairs", {
    xaxis: firsthit.decades(profileRange(), { range: profileRange().map(Math.log10) }), yaxis: { range: [0, 1.02] }, showlegend: !small,
    shapes: marked ? [line] : [],
    ...(small ? { margin: { l: 45, r: 5, t: 5, b: 40 }, font: { ...firsthit.layout("", "").font, size: 10 } } : {}),
  });
};

firsthit.profileLines = (curves, bands) => {
  const lines = [];
  const behind = [];
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
      algorithm, x, y: curve.fraction, mode: "lines", line: { ...line, shape: "hv" },
      name: firsthit.curveLabel(curve),
      hovertemplate: `${firsthit.curveLabel(curve)}<br>%{y:.3f} within %{x:.4g} · D<extra></extra>`,
    });
    if (curve.marker) {
      lines.push({
        algorithm, x: [curve.marker[0]], y: [curve.marker[1]], mode: "markers", showlegend: false, cliponaxis: false,
        marker: { ...marker, symbol: "x-thin", size: 12, line: { color: marker.color, width: 3 } },
        name: firsthit.label(algorithm),
        hovertemplate: `${firsthit.label(algorithm)}<br>longest unsuccessful runs (median): %{x:.4g} · D<extra></extra>`,
      });
    }
  }
  return [...behind, ...lines];
};

firsthit.profileRows = (curves) => curves.flatMap((curve) => firsthit.budgets(curve).map((budget, i) => ({
  algorithm: firsthit.name(curve.algorithm), suite: firsthit.suite().name, dimension: curve.dimension,
  group: curve.group, evaluations_per_dimension: budget, fraction: curve.fraction[i],
  ...(curve.low ? { low: curve.low[i], high: curve.high[i] } : {}),
})));

firsthit.panels.push({
  id: "ecdf", bands: true,
  async draw({ figure, controls }) {
    const curves = firsthit.curves(firsthit.choice.group);
    const algorithms = curves.map((curve) => curve.algorithm);
    const marked = firsthit.markedBudget
      ? [firsthit.element("button", { type: "button", onclick: () => { firsthit.markedBudget = null; firsthit.refresh(); } }, `${firsthit.power(firsthit.markedBudget)} evaluations / dimension marked: remove`)]
      : [];
    controls.replaceChildren(firsthit.bandsBox(this, algorithms, "95 % bands"), ...marked);
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    await firsthit.plot(host, firsthit.profileLines(curves, this.bands && firsthit.bandsFit(algorithms)), firsthit.profileAxes(false));
    const { group } = firsthit.choice;
    const by = firsthit.suite().groups[group] ? "group" : group === "all" ? "all" : "function";
    return { plots: [host], rows: () => firsthit.profileRows(curves), command: `firsthit assess ecdf ${firsthit.selection()} --group-by ${by} --format csv` };
  },
});
