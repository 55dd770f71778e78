// Attainment surfaces of two objectives at a budget, which a slider chooses.
"use strict";

firsthit.panels.push({
  id: "fronts", function: null, place: null, spread: true, logarithmic: true,

  // Corners of a surface from its steps on the grid, and the staircase through them.
  corners(steps) {
    const { grid } = firsthit.data.fronts;
    return steps.map((differences) => {
      let step = 0;
      return differences.map((difference) => grid[step += difference]);
    });
  },
  staircase([first, second]) {
    const far = firsthit.data.fronts.grid.at(-1);
    return first.length ? { x: [first[0], ...first, far], y: [far, ...second, second.at(-1)] } : { x: [], y: [] };
  },

  controlsOf(controls, functions) {
    const { budgets } = firsthit.data.fronts;
    if (!controls.firstElementChild) {
      const slider = firsthit.element("input", {
        type: "range", id: "front-budget", min: 0, max: budgets.length - 1, step: 1, "aria-label": "evaluations / dimension",
        oninput: (event) => { this.place = Number(event.target.value); firsthit.refresh("fronts"); },
      });
      controls.append(
        firsthit.element("span", { class: "functions" }),
        firsthit.element("label", {}, "evaluations / dimension ", slider), firsthit.element("output", { for: "front-budget" }),
        firsthit.checkbox("best and worst", this.spread, (on) => { this.spread = on; firsthit.refresh("fronts"); }),
        firsthit.checkbox("logarithmic", this.logarithmic, (on) => { this.logarithmic = on; firsthit.refresh("fronts"); }));
    }
    controls.querySelector(".functions").replaceChildren(firsthit.select("function", functions.map((f) => [f, firsthit.functionTitle(f)]), this.function, (value) => {
      this.function = Number(value);
      firsthit.refresh("fronts");
    }));
    const text = firsthit.number(budgets[this.place]);
    controls.querySelector("output").textContent = text;
    const slider = controls.querySelector("#front-budget");
    slider.value = this.place;
    slider.setAttribute("aria-valuetext", text);
  },

  traces(cell) {
    const { names } = firsthit.data.fronts;
    const { algorithm } = cell;
    return names.flatMap((name, i) => {
      const isMedian = name === "median";
      if (!isMedian && !this.spread) return [];
      const { line } = firsthit.style(algorithm);
      return [{
        algorithm, ...this.staircase(this.corners(cell.surfaces[this.place][i])), mode: "lines", showlegend: isMedian,
        line: { ...line, shape: "hv", width: isMedian ? 2.5 : 1 }, opacity: isMedian ? 1 : 0.7, name: firsthit.label(algorithm),
        hovertemplate: `${firsthit.label(algorithm)}, ${name}<br>%{x:.3g}, %{y:.3g}<extra></extra>`,
      }];
    });
  },

  // Logarithmic axes begin below the least value and end where each surface has begun to be seen; linear ones show the
  // region of interest, or the nearest surface.
  axis(least, top) {
    if (!this.logarithmic) return { type: "linear", range: [0, top] };
    return { type: "log", range: [Math.floor(Math.log10(Math.max(least, 1e-6)) + 1e-9), Math.log10(top)], dtick: 1 };
  },

  async draw({ figure, controls }) {
    const { budgets, cells } = firsthit.data.fronts;
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    this.place ??= budgets.length - 1;
    this.controlsOf(controls, functions);
    const shown = cells.filter((cell) => firsthit.here(cell) && cell.function === this.function);
    // the axes are those of the largest budget: they stay while the slider moves
    const last = shown.flatMap((cell) => cell.surfaces.at(-1).map((steps) => this.corners(steps)));
    const nearest = ([first, second]) => first.reduce((least, value, i) => Math.min(least, Math.max(value, second[i])), Infinity);
    const reaches = last.map(nearest).filter(Number.isFinite);
    const top = this.logarithmic ? 10 ** Math.ceil(Math.log10(2 * Math.max(1, ...reaches))) : 1.2 * Math.max(1, Math.min(...reaches));
    const [x, y] = [0, 1].map((i) => this.axis(last.reduce((least, corners) => Math.min(least, ...corners[i]), 0.1), top));
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const region = { type: "rect", x0: 0, x1: 1, y0: 0, y1: 1, line: { width: 1, dash: "dot", color: "#888888" } };
    const isEmpty = shown.every((cell) => cell.surfaces[this.place].every((steps) => !(nearest(this.corners(steps)) < top)));
    const annotations = isEmpty ? [{ text: "no front comes this near within so few evaluations", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }] : [];
    const shapes = this.logarithmic ? [{ ...region, x0: 1e-9, y0: 1e-9 }] : [region];
    await firsthit.plot(host, shown.flatMap((cell) => this.traces(cell)), firsthit.layout("objective 1, scaled", "objective 2, scaled", {
      xaxis: x, yaxis: y, showlegend: true, shapes, annotations,
    }));
    const names = this.spread ? firsthit.data.fronts.names : ["median"];
    const rows = () => shown.flatMap((cell) => names.flatMap((name) => {
      const [first, second] = this.corners(cell.surfaces[this.place][firsthit.data.fronts.names.indexOf(name)]);
      return first.map((value, i) => ({
        algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function, dimension: cell.dimension,
        runs: cell.runs, budget: budgets[this.place], surface: name, scaled_1: value, scaled_2: second[i],
      }));
    }));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return { plots: [host], rows, command: `firsthit assess surfaces ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${firsthit.choice.dimension} --functions ${this.function} --budgets ${budgets[this.place]} --surfaces ${names.join(",")} --format csv` };
  },
});
