// Attainment surfaces of two objectives at a budget, which a slider chooses.
"use strict";

firsthit.panels.push({
  id: "fronts", function: null, instance: null, axes: "scaled", place: null, spread: true, logarithmic: true,

  // Corners of a surface within a budget: of all that came until then, what no other dominates.
  corners([first, second, brought], place) {
    const { grid } = firsthit.data.fronts;
    const many = brought.slice(0, place + 1).reduce((sum, count) => sum + count, 0);
    let [x, y] = [0, 0];
    const points = Array.from({ length: many }, (_, i) => [x += first[i], y += second[i]]);
    points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let least = Infinity;
    const front = points.filter((point) => {
      const isLower = point[1] < least;
      least = Math.min(least, point[1]);
      return isLower;
    });
    return [0, 1].map((axis) => front.map((point) => grid[point[axis]]));
  },
  cornersOf(part, place, i) {
    return this.corners(part.surfaces[i] ?? part.surfaces[0], place);
  },
  staircase([first, second]) {
    const far = firsthit.data.fronts.grid.at(-1);
    return first.length ? { x: [first[0], ...first, far], y: [far, ...second, second.at(-1)] } : { x: [], y: [] };
  },

  // What the axes show of a scaled value: itself, the objective, or (logarithmic) its distance from the ideal point.
  shownAs(part, i) {
    if (this.axes === "scaled" || !part) return { value: (v) => v, title: `objective ${i + 1}, scaled` };
    const [low, range] = [part.ideal[i], part.nadir[i] - part.ideal[i]];
    if (!this.logarithmic) return { value: (v) => low + v * range, title: `objective ${i + 1}` };
    return { value: (v) => v * range, title: `objective ${i + 1} above the ideal ${firsthit.number(low)}` };
  },

  controlsOf(controls, functions, instances) {
    const { budgets } = firsthit.data.fronts;
    if (!controls.firstElementChild) {
      const slider = firsthit.element("input", {
        type: "range", id: "front-budget", min: 0, max: budgets.length - 1, step: 1, "aria-label": "evaluations / dimension",
        oninput: (event) => { this.place = Number(event.target.value); firsthit.refresh("fronts"); },
      });
      controls.append(
        firsthit.element("span", { class: "functions" }), firsthit.element("span", { class: "instances" }),
        firsthit.element("label", {}, "evaluations / dimension ", slider), firsthit.element("output", { for: "front-budget" }),
        firsthit.checkbox("best and worst", this.spread, (on) => { this.spread = on; firsthit.refresh("fronts"); }),
        firsthit.checkbox("logarithmic", this.logarithmic, (on) => { this.logarithmic = on; firsthit.refresh("fronts"); }),
        firsthit.element("span", { class: "axes" }));
    }
    const list = (place, label, options, key, read) => {
      const control = firsthit.select(label, options, this[key], (value) => { this[key] = read(value); firsthit.refresh("fronts"); });
      const host = controls.querySelector(place);
      const hadFocus = host.contains(document.activeElement);
      host.replaceChildren(control);
      if (hadFocus) control.lastElementChild.focus();
      return control.lastElementChild;
    };
    list(".functions", "function", functions.map((f) => [f, firsthit.functionTitle(f)]), "function", Number);
    const all = instances.length > 1 ? [["all", "all together"]] : [];
    list(".instances", "instance", [...all, ...instances.map((i) => [i, i])], "instance", (value) => (value === "all" ? value : Number(value)));
    list(".axes", "axes", [["scaled", "scaled"], ["raw", "as they are"]], "axes", String).disabled = this.instance === "all";
    const text = firsthit.number(budgets[this.place]);
    controls.querySelector("output").textContent = text;
    const slider = controls.querySelector("#front-budget");
    slider.value = this.place;
    slider.setAttribute("aria-valuetext", text);
  },

  traces(part, [x, y]) {
    const { names } = firsthit.data.fronts;
    const { algorithm } = part;
    return names.flatMap((name, i) => {
      const isMedian = name === "median";
      if (!isMedian && !this.spread) return [];
      const { line } = firsthit.style(algorithm);
      const stairs = this.staircase(this.cornersOf(part, this.place, i));
      return [{
        algorithm, x: stairs.x.map(x.value), y: stairs.y.map(y.value), mode: "lines", showlegend: isMedian,
        line: { ...line, shape: "hv", width: isMedian ? 2.5 : 1 }, opacity: isMedian ? 1 : 0.7, name: firsthit.label(algorithm),
        hovertemplate: `${firsthit.hoverName(algorithm)}, ${name}<br>%{x:.4g}, %{y:.4g}<extra></extra>`,
      }];
    });
  },

  // Logarithmic axes begin below the least value and end where each surface has begun to be seen; linear ones show the
  // region of interest, or the nearest surface.
  axis(least, top, { value }) {
    if (!this.logarithmic) return { type: "linear", range: [value(0), value(top)] };
    const low = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)) + 1e-9);
    return { type: "log", range: [Math.log10(value(low)), Math.log10(value(top))], dtick: 1 };
  },

  async draw({ figure, controls }) {
    const { names, budgets, cells } = firsthit.data.fronts;
    const functions = firsthit.chosenFunctions();
    if (!functions.includes(this.function)) [this.function] = functions;
    this.place ??= budgets.length - 1;
    const there = cells.filter((cell) => firsthit.here(cell) && cell.function === this.function);
    const instances = [...new Set(there.flatMap((cell) => cell.instances.map((one) => one.instance)))].sort((a, b) => a - b);
    if (!instances.includes(this.instance)) this.instance = instances.length > 1 ? "all" : instances[0];
    if (this.instance === "all") this.axes = "scaled";
    this.controlsOf(controls, functions, instances);
    const drawnCells = this.instance === "all" ? there : there.flatMap((cell) =>
      cell.instances.filter((one) => one.instance === this.instance).map((one) => ({ ...cell, ...one })));
    // the axes are those of the largest budget: they stay while the slider moves
    const last = drawnCells.flatMap((part) => names.map((_, i) => this.cornersOf(part, budgets.length - 1, i)));
    const nearest = ([first, second]) => first.reduce((least, value, i) => Math.min(least, Math.max(value, second[i])), Infinity);
    const reaches = last.map(nearest).filter(Number.isFinite);
    const top = this.logarithmic ? 10 ** Math.ceil(Math.log10(2 * Math.max(1, ...reaches))) : 1.2 * Math.max(1, Math.min(...reaches));
    const kinds = [0, 1].map((i) => this.shownAs(drawnCells[0], i));
    const [xaxis, yaxis] = kinds.map((kind, i) => this.axis(last.reduce((least, corners) => Math.min(least, ...corners[i]), 0.1), top, kind));
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const from = this.logarithmic ? 1e-9 : 0;
    const [[x0, x1], [y0, y1]] = kinds.map(({ value }) => [value(from), value(1)]);
    const region = { type: "rect", x0, x1, y0, y1, line: { width: 1, dash: "dot", color: "#888888" } };
    const isEmpty = drawnCells.every((part) => names.every((_, i) => !(nearest(this.cornersOf(part, this.place, i)) < top)));
    const annotations = isEmpty ? [{ text: "no front comes this near within so few evaluations", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }] : [];
    await firsthit.plot(host, drawnCells.flatMap((part) => this.traces(part, kinds)), firsthit.layout(kinds[0].title, kinds[1].title, {
      xaxis, yaxis, showlegend: true, shapes: [region], annotations,
    }));
    const selectedNames = this.spread ? names : ["median"];
    const rows = () => drawnCells.flatMap((part) => selectedNames.flatMap((name) => {
      const [first, second] = this.cornersOf(part, this.place, names.indexOf(name));
      return first.map((value, i) => ({
        algorithm: firsthit.name(part.algorithm), suite: firsthit.suite().name, function: part.function, dimension: part.dimension,
        ...(part.instance ? { instance: part.instance } : {}),
        runs: part.runs, budget: budgets[this.place], surface: name, scaled_1: value, scaled_2: second[i],
        ...(part.instance ? Object.fromEntries([value, second[i]].map((v, k) => [`y${k + 1}`, part.ideal[k] + v * (part.nadir[k] - part.ideal[k])])) : {}),
      }));
    }));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    const one = this.instance === "all" ? "" : ` --instances ${this.instance}`;
    return { plots: [host], rows, command: `firsthit assess surfaces ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${firsthit.choice.dimension} --functions ${this.function}${one} --budgets '${budgets[this.place]}*D' --surfaces ${selectedNames.join(",")} --format csv` };
  },
});
