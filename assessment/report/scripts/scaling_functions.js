// Average runtimes against the dimension, of all chosen functions in a grid.
"use strict";

const GUIDE_SLOPES = [1, 2];

firsthit.panels.push({
  id: "scaling-functions", target: null,
  // Dotted lines whose runtime / dimension grows as the dimension, and as its square.
  guides(traces) {
    const { dimensions } = firsthit.suite();
    const lowest = Math.min(...traces.filter((trace) => trace.x[0] === dimensions[0]).map((trace) => trace.y[0]));
    if (!Number.isFinite(lowest)) return [];
    return GUIDE_SLOPES.map((slope) => ({
      x: dimensions, y: dimensions.map((dimension) => lowest * (dimension / dimensions[0]) ** slope), mode: "lines", showlegend: false,
      line: { dash: "dot", width: 1, color: "#7f7f7f" }, hovertemplate: `grows as D<sup>${slope}</sup><extra></extra>`,
    }));
  },
  // The runtimes of a reference that is none of the algorithms.
  reference(cells) {
    if (!firsthit.data.reference || !firsthit.showReference || firsthit.data.reference.algorithm !== null) return [];
    const runtimes = new Map(cells.filter((cell) => typeof cell.reference === "number").map((cell) => [cell.dimension, cell.reference / firsthit.unit(cell.dimension)]));
    const dimensions = [...runtimes.keys()].sort((a, b) => a - b);
    const name = `reference: ${firsthit.escape(firsthit.short(firsthit.referenceName(), 30))}`;
    return [{
      x: dimensions, y: dimensions.map((dimension) => runtimes.get(dimension)), mode: "lines+markers", name,
      line: { color: firsthit.layout("", "").xaxis.linecolor, width: 6 }, hovertemplate: `${name}<br>%{x}-D: %{y:.4g}<extra></extra>`,
    }];
  },
  async drawFunction(host, number) {
    const { dimensions } = firsthit.suite();
    const cells = firsthit.scalingCells(number, this.target);
    const traces = firsthit.scalingTraces(cells);
    const references = this.reference(cells);
    const heights = [...traces, ...references].flatMap((trace) => trace.y);
    const annotations = heights.length ? [] : [{ text: "not reached", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }];
    await firsthit.plot(host, [...references, ...this.guides(traces), ...traces], firsthit.layout("dimension", firsthit.isTimed() ? "aRT (seconds)" : "aRT / dimension", {
      xaxis: { type: "log", tickvals: dimensions, ticktext: dimensions.map(String), range: [Math.log10(dimensions[0] / 1.2), Math.log10(dimensions.at(-1) * 1.2)] },
      yaxis: firsthit.decades(heights), showlegend: false, annotations, margin: { l: 45, r: 5, t: 5, b: 40 }, font: { ...firsthit.layout("", "").font, size: 10 },
    }));
  },
  async draw({ figure, controls }) {
    const functions = firsthit.chosenFunctions();
    const targets = firsthit.artTargets();
    if (!targets.includes(this.target)) this.target = targets[Math.floor(targets.length / 2)];
    controls.replaceChildren(
      firsthit.select("target", targets.map((target) => [target, firsthit.keyText(target)]), this.target, (value) => {
        this.target = Number(value);
        firsthit.refresh(this.id);
      }), ...firsthit.referenceBox([]));
    const key = `${firsthit.choice.suite} ${functions.join()}`;
    if (figure.dataset.key !== key) {
      figure.dataset.key = key;
      figure.replaceChildren(firsthit.element("div", { class: "grid" }, ...functions.map((number) =>
        firsthit.element("div", { "data-function": number },
          firsthit.element("h3", {}, firsthit.runsButton(number)), firsthit.element("div", { class: "plot small" })))));
    }
    firsthit.namesAbove(figure, "lines+markers");
    const cells = [...figure.querySelectorAll("[data-function]")];
    firsthit.whenSeen(this.id, cells, (cell) => this.drawFunction(cell.querySelector(".plot"), Number(cell.dataset.function)));
    return {
      plots: cells.map((cell) => cell.querySelector(".plot")),
      rows: () => functions.flatMap((number) => firsthit.scalingRows(firsthit.scalingCells(number, this.target))),
      command: firsthit.scalingCommand(functions, this.target),
    };
  },
});
