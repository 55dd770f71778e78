// Shares of pairs by the value of a parameter, if algorithms differ only by the values of parameters.
"use strict";

firsthit.panels.push({
  id: "parameter-grid", optimizer: null, parameter: null, budget: null, linearX: true,
  async draw({ figure, controls }) {
    const { grid } = firsthit.data;
    const optimizers = [...new Set(grid.map((row) => row.optimizer))];
    if (!optimizers.includes(this.optimizer)) [this.optimizer] = optimizers;
    const members = grid.filter((row) => row.optimizer === this.optimizer);
    const parameters = Object.keys(members[0].parameters).filter((name) => members.some((row) => typeof row.parameters[name] === "number"));
    if (!parameters.includes(this.parameter)) [this.parameter] = parameters;
    const standings = firsthit.data.standings.filter(firsthit.here);
    const group = standings.some((cell) => cell.group === firsthit.choice.group) ? firsthit.choice.group : "all";
    const cells = standings.filter((cell) => cell.group === group);
    const budgets = cells.map((cell) => cell.budget);
    if (!budgets.includes(this.budget)) this.budget = budgets.at(-1) ?? null;
    const choose = (field, convert) => (value) => { this[field] = convert(value); firsthit.refresh(this.id); };
    controls.replaceChildren(
      ...(optimizers.length > 1 ? [firsthit.select("optimizer", optimizers.map((one) => [one, one]), this.optimizer, choose("optimizer", String))] : []),
      firsthit.select("parameter", parameters.map((one) => [one, one]), this.parameter, choose("parameter", String)),
      firsthit.select(`budget (${firsthit.budgetUnit()})`, budgets.map((budget) => [budget, firsthit.power(budget)]), this.budget, choose("budget", Number)),
      ...firsthit.axisChoices(this, ["x"]));
    const places = cells.find((cell) => cell.budget === this.budget)?.places ?? [];
    const shown = members.filter((row) => typeof row.parameters[this.parameter] === "number").flatMap((row) => {
      const place = places.find(([algorithm]) => algorithm === row.algorithm);
      return place ? [{ ...row, value: row.parameters[this.parameter], share: place[1], low: place[2], high: place[3] }] : [];
    });
    const others = (row) => Object.entries(row.parameters).filter(([name]) => name !== this.parameter).map(([name, value]) => `${name}=${value}`).join(", ");
    const lines = [...new Set(shown.map(others))];
    const traces = lines.map((line) => {
      const rows = shown.filter((row) => others(row) === line).sort((a, b) => a.value - b.value);
      const names = rows.map((row) => firsthit.hoverName(row.algorithm));
      return {
        name: firsthit.escape(firsthit.short(line || this.optimizer, 40)), visible: true, meta: { isPlain: true },
        x: rows.map((row) => row.value), y: rows.map((row) => 100 * row.share), mode: "lines+markers", ...firsthit.style(rows[0].algorithm),
        error_y: { type: "data", symmetric: false, array: rows.map((row) => 100 * ((row.high ?? row.share) - row.share)), arrayminus: rows.map((row) => 100 * (row.share - (row.low ?? row.share))), thickness: 1, width: 4 },
        customdata: names, hovertemplate: "%{customdata}<br>%{y:.1f} %<extra></extra>",
      };
    });
    const host = figure.firstElementChild ?? figure.appendChild(firsthit.element("div", { class: "plot" }));
    const xaxis = this.linearX ? {} : firsthit.decades(shown.map((row) => row.value));
    await firsthit.plot(host, traces, firsthit.layout(firsthit.escape(this.parameter), "pairs solved within the budget (%)", { xaxis, yaxis: { rangemode: "tozero" }, showlegend: lines.length > 1 }));
    const rows = () => shown.map((row) => ({
      algorithm: firsthit.name(row.algorithm), suite: firsthit.suite().name, dimension: firsthit.choice.dimension, group, [firsthit.budgetColumn()]: this.budget,
      ...row.parameters, share: row.share, low: row.low, high: row.high,
    }));
    return { plots: [host], rows, command: `firsthit assess ecdf ${firsthit.selection()} --runtimes runs${firsthit.countOption()}` };
  },
});
