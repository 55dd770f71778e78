// Runtime profiles of each function, in a grid.
"use strict";

firsthit.panels.push({
  id: "functions",
  async draw({ figure }) {
    firsthit.checkProfileTarget();
    const functions = firsthit.chosenFunctions();
    const keys = functions.map(firsthit.functionKey);
    if (figure.dataset.keys !== keys.join()) {
      figure.dataset.keys = keys.join();
      figure.replaceChildren(firsthit.element("div", { class: "grid" }, ...functions.map((number) =>
        firsthit.element("div", { "data-group": firsthit.functionKey(number) },
          firsthit.element("h3", {}, firsthit.runsButton(number)), firsthit.element("div", { class: "plot small" })))));
    }
    firsthit.namesAbove(figure, "lines");
    const cells = [...figure.querySelectorAll("[data-group]")];
    firsthit.whenSeen(this.id, cells, (cell) =>
      firsthit.plot(cell.querySelector(".plot"), firsthit.profileLines(cell.dataset.group, firsthit.shownCurves(cell.dataset.group), firsthit.referenceCurves(cell.dataset.group), false, firsthit.showsSingleRuns()), firsthit.profileAxes(true)));
    return {
      plots: cells.map((cell) => cell.querySelector(".plot")),
      rows: () => keys.flatMap((key) => firsthit.profileRows(firsthit.shownCurves(key))),
      command: firsthit.profileTarget !== "all" ? firsthit.averagesCommand() : `firsthit assess ecdf ${firsthit.selection()}${firsthit.askedTargetsOption()} --group-by function${firsthit.referenceOption()}${firsthit.countOption()} --format csv`,
    };
  },
});
