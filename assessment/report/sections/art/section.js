// Average runtimes: the table of all targets.
"use strict";

firsthit.artTargets = () => firsthit.data.art.targets[firsthit.choice.suite];
const artCell = (row, target) => {
  const found = row.at[target];
  if (!found) return document.createTextNode("–");
  const of = found.successes < found.runs ? ` ${found.successes}/${found.runs}` : "";
  const node = firsthit.element("span", { title: found.tip },
    found.art === null ? "∞" : firsthit.number(found.art), firsthit.element("span", { class: "of" }, `${of}${found.star ? " ★" : ""}`));
  return node;
};

firsthit.panels.push({
  id: "art",
  async draw({ figure }) {
    const functions = new Set(firsthit.chosenFunctions());
    const cells = firsthit.rows(firsthit.data.art.cells, (row) => firsthit.here(row) && functions.has(row.function) && !firsthit.hidden.has(row.algorithm));
    const lines = new Map();
    const best = new Map();
    for (const cell of cells) {
      const key = `${cell.function} ${cell.algorithm}`;
      if (!lines.has(key)) {
        lines.set(key, { function: cell.function, algorithm: firsthit.name(cell.algorithm), runs: cell.runs, at: {} });
      }
      const line = lines.get(key);
      const interval = cell.low === undefined ? "" : `95 % interval ${firsthit.number(cell.low)} … ${firsthit.number(cell.high)}`;
      line.at[cell.target] = { ...cell, tip: interval };
      line[`t${cell.target}`] = cell.art;
      const spot = `${cell.function} ${cell.target}`;
      if (cell.art !== null && !(cell.art >= best.get(spot))) best.set(spot, cell.art);
    }
    const columns = [
      { key: "function", title: "f", text: (row) => firsthit.functionTitle(row.function) },
      { key: "algorithm", title: "algorithm", cell: (row) => firsthit.element("bdi", {}, firsthit.short(row.algorithm)) },
      { key: "runs", title: "runs", number: true },
      ...firsthit.artTargets().map((target) => ({
        key: `t${target}`, title: firsthit.target(target), number: true,
        cell: (row) => artCell(row, target),
        mark: (row) => row[`t${target}`] !== null && row[`t${target}`] === best.get(`${row.function} ${target}`),
      })),
    ];
    firsthit.table(figure, columns, [...lines.values()], { label: "average runtimes" });
    const rows = () => cells.map((cell) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function,
      dimension: cell.dimension, target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
      ...(cell.low === undefined ? {} : { low: cell.low, high: cell.high }),
    }));
    return { plots: [], rows, command: `firsthit assess art ${firsthit.selection()} --targets ${firsthit.artTargets().map(firsthit.target).join(",")} --format csv` };
  },
});
