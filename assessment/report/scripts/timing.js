// Profiles over time for a chosen cost of an evaluation, and the best algorithm at each time.
"use strict";

firsthit.secondsText = (seconds) => {
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return `${Number((seconds * 1e6).toPrecision(2))} µs`;
  if (seconds < 1) return `${Number((seconds * 1e3).toPrecision(2))} ms`;
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 7200) return `${Number((seconds / 60).toPrecision(2))} min`;
  return `${Number((seconds / 3600).toPrecision(2))} h`;
};

// Seconds until a share of all pairs is solved, when an evaluation of the problem costs `cost`.
firsthit.timeToShare = (curve, share, secondsPerEvaluation) => {
  const i = curve.fraction.findIndex((fraction) => fraction >= share);
  return i < 0 ? null : firsthit.budgets(curve)[i] * curve.dimension * secondsPerEvaluation;
};

firsthit.panels.push({
  id: "timing", exponent: -7, share: 0.5,
  cost() { return this.exponent <= -7 ? 0 : 10 ** this.exponent; },
  async draw({ figure, controls }) {
    const measured = new Map(firsthit.rows(firsthit.data.timing, firsthit.here).map((row) => [row.algorithm, row]));
    const curves = firsthit.curves(firsthit.choice.group, firsthit.inEvaluations).filter((curve) => measured.get(curve.algorithm)?.optimizer_seconds > 0);
    if (!controls.firstElementChild) {
      const costText = firsthit.element("output", { id: "cost-text" });
      const slider = firsthit.element("input", {
        type: "range", id: "cost", min: -7, max: 4, step: 0.25, value: this.exponent, "aria-label": "seconds that an evaluation costs",
        oninput: (event) => { this.exponent = Number(event.target.value); firsthit.refresh("timing"); },
      });
      controls.append(firsthit.element("label", {}, "an evaluation costs ", slider), costText,
        firsthit.select("share of pairs", [0.25, 0.5, 0.75].map((s) => [s, `${s * 100} %`]), this.share, (value) => { this.share = Number(value); firsthit.refresh("timing"); }));
      figure.append(firsthit.element("div", { id: "ranking" }), firsthit.element("div", { class: "plot" }));
    }
    const cost = this.cost();
    const text = firsthit.secondsText(cost);
    controls.querySelector("output").textContent = text;
    controls.querySelector("#cost").setAttribute("aria-valuetext", text);
    const ranked = curves.filter((curve) => !firsthit.hidden.has(curve.algorithm)).map((curve) => {
      const per = measured.get(curve.algorithm).optimizer_seconds + cost;
      return {
        algorithm: firsthit.name(curve.algorithm), optimizer_seconds: measured.get(curve.algorithm).optimizer_seconds,
        seconds: firsthit.timeToShare(curve, this.share, per), share: curve.fraction.at(-1) ?? 0,
      };
    }).sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity) || b.share - a.share)
      .map((row, i) => ({ rank: i + 1, ...row }));
    firsthit.table(figure.querySelector("#ranking"), [
      { key: "rank", title: "rank", number: true },
      { key: "algorithm", title: "algorithm", cell: (row) => firsthit.nameCell(row.algorithm) },
      { key: "seconds", title: `time to ${this.share * 100} % of pairs`, number: true, text: (row) => (row.seconds === null ? "∞" : firsthit.secondsText(row.seconds)) },
      { key: "optimizer_seconds", title: "optimizer, per evaluation", number: true, text: (row) => firsthit.secondsText(row.optimizer_seconds) },
    ], ranked, { label: "ranking by time" });
    const traces = curves.map((curve) => {
      const { algorithm } = curve;
      const per = measured.get(algorithm).optimizer_seconds + cost;
      return {
        algorithm, x: firsthit.budgets(curve).map((budget) => budget * curve.dimension * per), y: curve.fraction,
        mode: "lines", line: { ...firsthit.style(algorithm).line, shape: "hv" }, name: firsthit.label(algorithm),
        hovertemplate: `${firsthit.hoverName(algorithm)}<br>%{y:.3f} within %{x:.3g} s<extra></extra>`,
      };
    });
    const host = figure.querySelector(".plot");
    await firsthit.plot(host, traces, firsthit.layout("seconds", "share of function-target pairs", {
      xaxis: firsthit.withinData(traces.flatMap((trace) => [trace.x[0], trace.x.at(-1)])), yaxis: { range: [0, 1.02] }, showlegend: true,
    }));
    return { plots: [host], rows: () => ranked.map((row) => ({ cost_seconds: cost, ...row })), command: `firsthit assess timing ${firsthit.data.logs.map(firsthit.quoted).join(" ")} --dimensions ${firsthit.choice.dimension} --format csv` };
  },
});
