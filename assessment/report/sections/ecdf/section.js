// Runtime profiles of the chosen functions; the other sections of profiles use these functions, too.
"use strict";

firsthit.budgets = (curve) =>
  curve.fraction.map((_, i) => 10 ** ((curve.first + i) / firsthit.data.ecdf.points_per_decade));

firsthit.curves = (group) =>
  firsthit.data.ecdf.curves.filter((curve) => firsthit.here(curve) && curve.group === group);

firsthit.profileAxes = (small) => firsthit.layout(
  small ? "" : "evaluations / dimension", small ? "" : "share of function-target pairs",
  {
    xaxis: { type: "log" }, yaxis: { range: [0, 1.02] }, showlegend: !small,
    ...(small ? { margin: { l: 35, r: 5, t: 5, b: 25 } } : {}),
  });

firsthit.profileLines = (curves, bands) => curves.flatMap((curve) => {
  const x = firsthit.budgets(curve);
  const { algorithm } = curve;
  const { line, marker } = firsthit.style(algorithm);
  const traces = [];
  if (bands && curve.low) {
    traces.push({
      algorithm, x: [...x, ...[...x].reverse()], y: [...curve.high, ...[...curve.low].reverse()],
      fill: "toself", fillcolor: firsthit.translucent(algorithm), line: { width: 0 }, mode: "lines",
      hoverinfo: "skip", showlegend: false, name: `${firsthit.label(algorithm)} band`,
    });
  }
  traces.push({
    algorithm, x, y: curve.fraction, mode: "lines", line: { ...line, shape: "hv" },
    name: firsthit.label(algorithm),
    hovertemplate: `${firsthit.label(algorithm)}<br>%{y:.3f} within %{x:.4g} · D<extra></extra>`,
  });
  if (curve.marker) {
    traces.push({
      algorithm, x: [curve.marker[0]], y: [curve.marker[1]], mode: "markers", showlegend: false,
      marker: { ...marker, symbol: "x-thin", size: 12, line: { color: marker.color, width: 3 } },
      name: firsthit.label(algorithm),
      hovertemplate: `${firsthit.label(algorithm)}<br>longest unsuccessful runs (median): %{x:.4g} · D<extra></extra>`,
    });
  }
  return traces;
});

firsthit.profileRows = (curves) => curves.flatMap((curve) => firsthit.budgets(curve).map((budget, i) => ({
  algorithm: firsthit.name(curve.algorithm), suite: firsthit.suite().name, dimension: curve.dimension,
  group: curve.group, evaluations_per_dimension: budget, fraction: curve.fraction[i],
  ...(curve.low ? { low: curve.low[i], high: curve.high[i] } : {}),
})));

firsthit.panels.push({
  id: "ecdf", bands: true,
  async draw({ figure, controls }) {
    controls.replaceChildren(firsthit.checkbox("bands", this.bands, (on) => {
      this.bands = on;
      firsthit.refresh("ecdf");
    }));
    const curves = firsthit.curves(firsthit.choice.group);
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    await firsthit.plot(host, firsthit.profileLines(curves, this.bands), firsthit.profileAxes(false));
    const { group } = firsthit.choice;
    const by = firsthit.suite().groups[group] ? "group" : group === "all" ? "all" : "function";
    return { plots: [host], rows: () => firsthit.profileRows(curves), command: `firsthit assess ecdf ${firsthit.selection()} --group-by ${by} --format csv` };
  },
});
