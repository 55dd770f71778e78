// Average runtimes: a block of rows for each function, a column for each algorithm.
"use strict";

// What tells the targets of a function apart: their precision, or the budget that chose them.
firsthit.artTargets = () => firsthit.data.art.targets[firsthit.choice.suite];
firsthit.artKey = () => firsthit.data.art.key;
firsthit.keyText = (key) => (firsthit.artKey() === "budget" ? `${key}D` : firsthit.targetText(key));
firsthit.targetsOption = (keys) => (firsthit.artKey() === "budget"
  ? ` --targets runlength:${keys.map((key) => `${key}D`).join(",")}` : ` --targets ${keys.map(firsthit.target).join(",")}`);
const artText = (cell, unit) => {
  if (cell.art === null) return "∞";
  if (unit === null) return firsthit.number(cell.art);
  if (Number.isNaN(unit)) return "–";
  return unit === Infinity ? "0" : (cell.art / unit).toPrecision(3);
};
// The 10 and 90 % points of single runtimes, in the unit of the average runtime above them.
const dispersionText = (cell, unit) => {
  if (cell.art === null) return "";
  const ends = [cell.q10, cell.q90].map((value) => artText({ art: value }, unit));
  return ` ${ends.join(" … ")}`;
};
const isBetterThanReference = (cell) => typeof cell.ratio_high === "number" && cell.ratio_high < 1;
const artCell = (cell, unit, hasDispersion) => {
  if (!cell) return document.createTextNode("–");
  const of = cell.successes < cell.runs ? ` ${cell.successes}/${cell.runs}` : "";
  const ends = [cell.ratio_low, cell.ratio_high].includes("") ? "" : ` (${firsthit.number(cell.ratio_low)} … ${firsthit.number(cell.ratio_high)})`;
  const ratio = typeof cell.ratio !== "number" ? "" : ` ${firsthit.number(cell.ratio)} times the reference${ends}`;
  const interval = cell.low === null ? "" : `95 % interval ${firsthit.number(cell.low)} … ${firsthit.number(cell.high)}`;
  const marks = `${isBetterThanReference(cell) && firsthit.showReference ? " ↑" : ""}${cell.star ? " ★" : ""}`;
  const dispersion = hasDispersion ? [firsthit.element("small", { class: "of dispersion" }, dispersionText(cell, unit))] : [];
  return firsthit.element("span", { title: `${cell.successes} of ${cell.runs} runs. ${interval}${ratio}` },
    artText(cell, unit), firsthit.element("span", { class: "of" }, `${of}${marks}`), ...dispersion);
};

firsthit.panels.push({
  id: "art", target: "all", shown: null, dispersion: true,
  async draw({ figure, controls }) {
    const functions = new Set(firsthit.chosenFunctions());
    const targets = firsthit.artTargets();
    const algorithms = firsthit.present().filter((algorithm) => !firsthit.hidden.has(algorithm));
    if (this.target !== "all" && !targets.includes(this.target)) this.target = "all";
    const { reference } = firsthit.data;
    this.shown ??= reference ? "reference" : "evaluations";
    const isReference = reference && firsthit.showReference;
    const ways = [
      ["evaluations", firsthit.runtimeUnit()], ...(isReference ? [["reference", "ratio to the reference"]] : []),
      ["best", "ratio to the least"], ...algorithms.map((a) => [String(a), `ratio to ${firsthit.shortName(a)}`]),
    ];
    if (!ways.some(([way]) => way === this.shown)) this.shown = "evaluations";
    controls.replaceChildren(
      firsthit.select("target", [["all", "all"], ...targets.map((t) => [t, firsthit.keyText(t)])], this.target, (value) => {
        this.target = value === "all" ? value : Number(value);
        firsthit.refresh("art");
      }),
      firsthit.select("show", ways, this.shown, (value) => {
        this.shown = value;
        firsthit.refresh("art");
      }),
      firsthit.checkbox("dispersion", this.dispersion, (isOn) => {
        this.dispersion = isOn;
        firsthit.refresh("art");
      }), ...firsthit.referenceBox(firsthit.data.art.reference), ...firsthit.basis(firsthit.data.art.basis));
    const cells = firsthit.rows(firsthit.data.art.cells, (row) => firsthit.here(row) && functions.has(row.function)
      && !firsthit.hidden.has(row.algorithm) && (this.target === "all" || row[firsthit.artKey()] === this.target));
    const lines = new Map();
    for (const cell of cells) {
      const key = `${cell.function} ${cell[firsthit.artKey()]}`;
      if (!lines.has(key)) lines.set(key, { function: cell.function, budget: cell.budget, target: cell.target, least: Infinity, reference: cell.reference, at: {} });
      const line = lines.get(key);
      line.at[cell.algorithm] = cell;
      line[`a${cell.algorithm}`] = cell.art;
      line.least = Math.min(line.least, cell.art ?? Infinity);
    }
    const unit = (line) => {
      if (this.shown === "evaluations") return null;
      if (this.shown === "best") return line.least;
      const known = this.shown === "reference" ? line.reference : line.at[this.shown]?.art;
      return known === null ? Infinity : Number(known || NaN);
    };
    const columns = [
      { key: "function", title: "function", text: (line) => firsthit.functionTitle(line.function), cell: (line) => firsthit.runsButton(line.function) },
      ...(firsthit.artKey() === "budget" ? [{ key: "budget", title: "budget", number: true, text: (line) => firsthit.keyText(line.budget) }] : []),
      { key: "target", title: "target", number: true, text: (line) => firsthit.targetText(line.target) },
      ...(isReference && reference.algorithm === null ? [{
        key: "reference", title: `reference: ${firsthit.short(firsthit.referenceName(), 40)}`, number: true,
        text: (line) => (line.reference === "" ? "–" : firsthit.number(line.reference)),
      }] : []),
      ...algorithms.map((algorithm) => ({
        key: `a${algorithm}`, title: firsthit.nameCell(firsthit.starred(algorithm)), number: true,
        text: (line) => (line.at[algorithm] ? artText(line.at[algorithm], unit(line)) : ""),
        cell: (line) => artCell(line.at[algorithm], unit(line), this.dispersion),
        mark: (line) => line.at[algorithm]?.art !== null && line.at[algorithm]?.art === line.least,
      })),
    ];
    firsthit.table(figure, columns, [...lines.values()], { label: "average runtimes", group: "function" });
    const rows = () => cells.map((cell) => ({
      algorithm: firsthit.name(cell.algorithm), suite: firsthit.suite().name, function: cell.function,
      dimension: cell.dimension, ...(cell.budget === undefined ? {} : { budget: cell.budget }), target: cell.target, art: cell.art, successes: cell.successes, runs: cell.runs,
      ...(cell.low === undefined ? {} : { low: cell.low, high: cell.high }),
      q10: cell.q10, q90: cell.q90,
      ...(reference ? { reference: cell.reference, ratio: cell.ratio, ratio_low: cell.ratio_low, ratio_high: cell.ratio_high } : {}),
    }));
    return { plots: [], rows, command: `firsthit assess art ${firsthit.selection()}${firsthit.targetsOption(targets)}${firsthit.referenceOption()}${firsthit.countOption()} --format csv` };
  },
});
