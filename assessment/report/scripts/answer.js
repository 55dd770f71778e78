// Best algorithm by budget: a map of function groups and budgets, and the evidence of the chosen cell beside it.
"use strict";

firsthit.points = (share) => {
  const value = (100 * share).toFixed(1);
  return share > 0 ? `+${value}` : value.replace("-", "−");
};
firsthit.between = (from, to) => from === null ? "too few runs to say" : `${firsthit.points(from)} … ${firsthit.points(to)}`;
firsthit.percent = (share) => `${(100 * share).toFixed(1)} %`;
firsthit.power = (budget) => {
  const exponent = String(Math.round(Math.log10(budget)));
  return budget <= 1000 || budget !== 10 ** exponent ? firsthit.number(budget) : `10${[...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
};
firsthit.groupTitle = (group) => {
  if (group === "all") return "all functions";
  const number = firsthit.suite().functions.find((f) => firsthit.functionKey(f.function) === group);
  return number && !firsthit.suite().groups[group] ? firsthit.functionTitle(number.function) : group;
};

const verdict = (cell) => {
  const [, share] = cell.places[0];
  if (share === 0) return "none";
  if (cell.places.length === 1) return "alone";
  return cell.near.length ? "near" : "sure";
};

// The name of the first, those that may be as good, and the lead with its interval.
const cellText = (cell) => {
  const name = firsthit.shortName(cell.algorithm);
  const [, second] = cell.places;
  if (verdict(cell) === "none") return ["none", "", "", ""];
  if (verdict(cell) === "alone") return [name, "", firsthit.percent(cell.places[0][1]), ""];
  const lead = [firsthit.points(second[4]), ` (${firsthit.between(second[5], second[6])})`];
  if (verdict(cell) === "sure") return [name, "", ...lead];
  return [name, `or ${cell.near.length > 1 ? `${cell.near.length} others` : firsthit.shortName(cell.near[0])}`, ...lead];
};

const cellStyle = (cell) => {
  const kind = verdict(cell);
  if (kind === "none") return null;
  const size = cell.places.length > 1 ? cell.places[1][4] : cell.places[0][1];
  const strength = `${Math.round(18 + 42 * Math.min(size / 0.4, 1))}%`;
  const first = firsthit.colour(cell.algorithm);
  if (kind !== "near") return `--first: ${first}; --strength: ${strength}`;
  return `--first: ${first}; --second: ${firsthit.colour(cell.near[0])}; --strength: 30%`;
};

// The full colour and hatch of the first, and of the nearest one that may be as good.
const cellKeys = (cell) => {
  if (verdict(cell) === "none") return [];
  const algorithms = [cell.algorithm, ...cell.near.slice(0, 1)];
  return [firsthit.element("span", { class: "keys" }, ...algorithms.map((algorithm) =>
    firsthit.element("i", { style: `--colour: ${firsthit.colour(algorithm)}`, "data-hatch": firsthit.hatch(algorithm) })))];
};

const mapCell = (cell, chosen, choose) => {
  const [name, others, lead, interval] = cellText(cell);
  const verdictText = { sure: "first at the 95 % level", near: "may be as good", alone: "", none: "" }[verdict(cell)];
  return firsthit.element("td", {},
    firsthit.element("button", {
      type: "button", class: `cell ${verdict(cell)}`, style: cellStyle(cell), onclick: choose,
      "aria-pressed": String(chosen), title: cell.sentence,
      "aria-label": `${firsthit.groupTitle(cell.group)}, ${cell.budget} ${firsthit.budgetUnit()}: ${[name, others, lead].filter(Boolean).join(" ")}${interval} ${verdictText}`,
    }, ...cellKeys(cell), firsthit.element("bdi", { class: "who" }, name), ...(others ? [firsthit.element("bdi", { class: "others" }, others)] : []), firsthit.element("span", { class: "lead" }, lead, firsthit.element("span", { class: "interval" }, interval))));
};

const place = ([algorithm, share, low, high, behind, from, to], cell, i) => {
  const apart = i === 0 || cell.places.length === 1 ? "" : ` −${(100 * behind).toFixed(1)} (${firsthit.between(to && -to, from && -from)})`;
  const range = low === null ? "" : ` (${firsthit.percent(low)} … ${firsthit.percent(high)})`;
  const fill = firsthit.element("span", { class: "fill", style: `--colour: ${firsthit.colour(algorithm)}; --share: ${100 * share}%`, "data-hatch": firsthit.hatch(algorithm) });
  const bar = firsthit.element("span", { class: "bar", title: `${firsthit.percent(share)}${range}` }, fill);
  if (low !== null) bar.append(firsthit.element("i", { style: `left: ${100 * low}%; width: ${100 * (high - low)}%` }));
  const tied = i && cell.near.includes(algorithm) ? "may be first" : "";
  return firsthit.element("li", {},
    firsthit.element("bdi", { class: "who", title: firsthit.name(algorithm) }, firsthit.shortName(algorithm)),
    firsthit.element("span", { class: "share" }, firsthit.percent(share)), bar,
    firsthit.element("span", { class: "behind" }, `${apart} ${tied}`.trim()));
};

firsthit.panels.push({
  id: "answer", group: "all", budget: null,
  async draw({ figure, controls }) {
    const cells = firsthit.data.standings.filter(firsthit.here);
    const budgets = [...new Set(cells.map((cell) => cell.budget))];
    const groups = [...new Set(cells.map((cell) => cell.group))];
    if (!budgets.includes(this.budget)) this.budget = budgets.at(-1) ?? null;
    if (!groups.includes(this.group)) [this.group] = groups;
    controls.replaceChildren();
    const at = (group, budget) => cells.find((cell) => cell.group === group && cell.budget === budget);
    const chosen = at(this.group, this.budget);
    const choose = (group, budget) => {
      Object.assign(this, { group, budget });
      firsthit.refresh("answer");
    };
    if (chosen) figure.replaceChildren(this.map(groups, budgets, at, choose), this.evidence(chosen));
    else figure.replaceChildren(firsthit.element("p", {}, "Nothing can be compared here: the algorithms share no function."));
    const rows = () => cells.flatMap((cell) => cell.places.map(([algorithm, share, low, high, behind, from, to], i) => ({
      suite: firsthit.suite().name, dimension: cell.dimension, group: cell.group, [firsthit.budgetColumn()]: cell.budget, place: i + 1,
      algorithm: firsthit.name(algorithm), share, low, high, behind, behind_low: from, behind_high: to,
    })));
    return { plots: [], rows, command: `firsthit assess ecdf ${firsthit.data.logs.map(firsthit.quoted).join(" ")} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${firsthit.choice.dimension} --runtimes runs --group-by ${firsthit.suite().groups[this.group] ? "group" : this.group === "all" ? "all" : "function"}${firsthit.countOption()}` };
  },
  map(groups, budgets, at, choose) {
    const heads = budgets.map((budget) => firsthit.element("th", { scope: "col" }, firsthit.power(budget)));
    const rows = groups.map((group) => firsthit.element("tr", { class: group === "all" ? "whole" : null },
      firsthit.element("th", { scope: "row" }, firsthit.groupTitle(group),
        firsthit.element("small", {}, ` ${at(group, budgets[0]).functions > 1 ? `${at(group, budgets[0]).functions} functions` : ""}`)),
      ...budgets.map((budget) => mapCell(at(group, budget), group === this.group && budget === this.budget, () => choose(group, budget)))));
    const alone = firsthit.data.algorithms.length === 1;
    const key = alone ? "Share of pairs reached." : "Full colour: this algorithm is first at the 95 % level. Stripes: these runs do not show which is first; the bars above show the first and the nearest one. Numbers: lead over the second in percentage points, with its 95 % interval. Click a cell to see all shares.";
    return firsthit.element("div", { class: "map" },
      firsthit.element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "best algorithm by budget" },
        firsthit.element("table", { style: `--columns: ${budgets.length}` },
          firsthit.element("thead", {}, firsthit.element("tr", {}, firsthit.element("td", { class: "axis" }, firsthit.budgetUnit()), ...heads)),
          firsthit.element("tbody", {}, ...rows))),
      firsthit.element("p", { class: "caption" }, key));
  },
  evidence(cell) {
    const most = 6;
    const items = cell.places.map((one, i) => place(one, cell, i));
    const list = firsthit.element("ol", { class: "places" }, ...items.slice(0, most));
    const more = items.length > most
      ? [firsthit.element("button", { type: "button", class: "link", onclick: (event) => { list.append(...items.slice(most)); event.target.remove(); } }, `${items.length - most} more`)]
      : [];
    const show = firsthit.element("button", { type: "button", class: "primary", onclick: () => firsthit.showProfiles(cell.group, cell.budget) }, "See these profiles");
    return firsthit.element("div", { class: "evidence", "aria-live": "polite" },
      firsthit.element("h3", {}, `${firsthit.groupTitle(cell.group)}, ${firsthit.power(cell.budget)} ${firsthit.budgetUnit()}`),
      list, ...more, firsthit.element("p", { class: "said" }, cell.sentence), show);
  },
});
