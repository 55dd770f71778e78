// The runs of one function one by one, and profiles of single runs behind those of algorithms.
"use strict";

firsthit.runCells = (number) => firsthit.data.runs.cells.filter((cell) => firsthit.here(cell) && cell.function === number);
firsthit.runRows = (number) => firsthit.runCells(number).flatMap((cell) => cell.instances.map((instance, i) => ({
  algorithm: cell.algorithm, instance, repetition: cell.repetitions[i], evaluations: cell.evaluations[i],
  status: firsthit.data.runs.statuses[cell.status[i]], best_precision: cell.precisions[i], targets_reached: cell.reached[i], targets: cell.targets,
})));

// Shows a function in the section of runs.
firsthit.showRuns = (number) => {
  firsthit.panel("runs").function = number;
  firsthit.refresh("runs");
  document.getElementById("runs").scrollIntoView();
};
firsthit.runsButton = (number) => firsthit.element("button", {
  type: "button", class: "link", title: "show the runs of this function", onclick: () => firsthit.showRuns(number),
}, firsthit.functionTitle(number));

// Share of pairs within a budget that single runs reached: a curve joins the runs of all functions
// that have the same instance and repetition.
firsthit.singleRunsExist = () => !firsthit.isTimed() && firsthit.data.runs.cells.every((cell) => cell.steps !== null);
const joinedRuns = (algorithm, functions) => {
  const cells = firsthit.data.runs.cells.filter((cell) => firsthit.here(cell) && cell.algorithm === algorithm && functions.includes(cell.function));
  const runs = new Map();
  for (const cell of cells) {
    cell.steps.forEach((steps, i) => {
      const key = `${cell.instances[i]} ${cell.repetitions[i]}`;
      if (!runs.has(key)) runs.set(key, { key, cells: 0, targets: 0, steps: [], end: 0 });
      const run = runs.get(key);
      run.cells += 1;
      run.targets += cell.targets;
      run.steps.push(...steps);
      run.end = Math.max(run.end, cell.evaluations[i] / cell.dimension);
    });
  }
  return [...runs.values()].filter((run) => run.cells === cells.length);
};
firsthit.singleRunLines = (group, algorithms) => algorithms.flatMap((algorithm) => joinedRuns(algorithm, firsthit.functionsOf(group)).map((run) => {
  const budgets = run.steps.sort((a, b) => a - b).map((step) => 10 ** (step / firsthit.data.runs.steps_per_decade));
  const [instance, repetition] = run.key.split(" ");
  const shares = budgets.map((_, i) => (i + 1) / run.targets);
  return {
    algorithm, x: [budgets[0] ?? run.end, ...budgets, Math.max(run.end, budgets.at(-1) ?? 0)], y: [0, ...shares, shares.at(-1) ?? 0],
    mode: "lines", line: { ...firsthit.style(algorithm).line, width: 0.8, shape: "hv" }, opacity: 0.7, showlegend: false, name: `${firsthit.label(algorithm)} run`,
    hovertemplate: `${firsthit.hoverName(algorithm)}, instance ${instance}, repetition ${repetition}<br>%{y:.3f} within %{x:.4g} ${firsthit.budgetText()}<extra></extra>`,
  };
}));

firsthit.panels.push({
  id: "runs", function: null, linearX: false, linearY: false,
  async draw({ figure, controls }) {
    const functions = firsthit.suite().functions.map((one) => one.function);
    if (!functions.includes(this.function)) [this.function] = firsthit.chosenFunctions();
    controls.replaceChildren(
      firsthit.select("function", functions.map((number) => [number, firsthit.functionTitle(number)]), this.function, (value) => {
        this.function = Number(value);
        firsthit.refresh("runs");
      }), ...firsthit.axisChoices(this, ["x", "y"]));
    const shown = firsthit.runRows(this.function).filter((row) => !firsthit.hidden.has(row.algorithm));
    const { dimension } = firsthit.choice;
    const floor = firsthit.data.smallest_precision;
    const height = (value) => (value === null ? null : Math.max(value, floor));
    const traces = [...new Set(shown.map((row) => row.algorithm))].map((algorithm) => {
      const rows = shown.filter((row) => row.algorithm === algorithm);
      return {
        algorithm, name: firsthit.label(algorithm), mode: "markers", cliponaxis: false, ...firsthit.style(algorithm),
        x: rows.map((row) => row.evaluations / dimension), y: rows.map((row) => height(row.best_precision)),
        customdata: rows.map((row) => [row.instance, row.repetition, row.status, row.best_precision]),
        hovertemplate: `${firsthit.hoverName(algorithm)}, instance %{customdata[0]}, repetition %{customdata[1]}<br>%{customdata[3]:.3g} after %{x:.4g} · D: %{customdata[2]}<extra></extra>`,
      };
    });
    if (!figure.firstElementChild) figure.append(firsthit.element("div", { class: "plot" }), firsthit.element("div", { class: "table" }));
    const [host, table] = [".plot", ".table"].map((part) => figure.querySelector(`:scope > ${part}`));
    await firsthit.plot(host, traces, firsthit.withChosenAxes(this, firsthit.layout("evaluations / dimension", "best precision", {
      xaxis: firsthit.decades(traces.flatMap((trace) => trace.x)), yaxis: firsthit.decades(traces.flatMap((trace) => trace.y)), showlegend: true,
    })));
    const named = shown.map((row) => ({ ...row, algorithm: firsthit.name(row.algorithm) }));
    firsthit.table(table, [
      { key: "algorithm", title: "algorithm", cell: (row) => firsthit.nameCell(row.algorithm) },
      { key: "instance", title: "instance", number: true },
      { key: "repetition", title: "repetition", number: true },
      { key: "evaluations", title: "evaluations", number: true },
      { key: "status", title: "ended by" },
      { key: "best_precision", title: "best precision", number: true, text: (row) => firsthit.number(row.best_precision) },
      { key: "targets_reached", title: "targets reached", number: true, text: (row) => `${row.targets_reached} of ${row.targets}` },
    ], named, { label: "runs of one function" });
    const rows = () => named.map((row) => ({ suite: firsthit.suite().name, function: this.function, dimension, ...row }));
    const logs = firsthit.data.logs.map(firsthit.quoted).join(" ");
    return { plots: [host], rows, command: `firsthit assess runtimes ${logs} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${dimension} --functions ${this.function} --format csv` };
  },
});
