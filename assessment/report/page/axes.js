// Axes of figures that are logarithmic or linear, as the reader chooses for each panel.
"use strict";

// The choices of a panel, which keeps them in its fields `linearX` and `linearY`.
firsthit.axisChoices = (panel, axes, panels = [panel.id]) => axes.map((axis) => {
  const field = `linear${axis.toUpperCase()}`;
  return firsthit.select(`${axis} axis`, [["log", "logarithmic"], ["linear", "linear"]], panel[field] ? "linear" : "log", (value) => {
    panel[field] = value === "linear";
    panels.forEach(firsthit.refresh);
  });
});

// A logarithmic axis as a linear one that begins at 0.
const toLinear = ({ type, dtick, tick0, range, ...axis }) => ({ ...axis, type: "linear", ...(range ? { range: [0, 10 ** range[1]] } : {}) });
firsthit.withChosenAxes = (panel, layout) => {
  const chosen = { ...layout };
  for (const axis of ["x", "y"]) {
    const name = `${axis}axis`;
    if (panel[`linear${axis.toUpperCase()}`] && layout[name]?.type === "log") chosen[name] = toLinear(layout[name]);
  }
  return chosen;
};
