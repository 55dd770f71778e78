// A table that is sorted by a click on a column's head and filtered by typing.
"use strict";

// A table of more columns is drawn smaller.
const MANY = 9;

// columns: [{key, title, number?: bool, text?: row => string, cell?: row => Node}]
// options.group: the key whose equal values stand together, said once, while the table is sorted by it.
firsthit.table = (host, columns, rows, options = {}) => {
  const view = { key: options.sort ?? options.group ?? null, falling: false, filter: host.dataset.filter ?? "" };
  const body = firsthit.element("tbody");
  const heads = columns.map((column) =>
    firsthit.element("th", { scope: "col", class: column.number ? "number" : null, "data-key": column.key },
      firsthit.element("button", { type: "button", title: "sort by this column", onclick: () => sort(column.key) }, column.title)));
  const value = (column, row) => (column.text ? column.text(row) : row[column.key]);

  const compare = (a, b) => {
    const [x, y] = [a[view.key], b[view.key]].map((v) => (v === null || v === undefined ? Infinity : v));
    const order = typeof x === "string" ? x.localeCompare(String(y)) : x - y || 0;
    return view.falling ? -order : order;
  };
  const fill = () => {
    const words = view.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (row) => columns.map((column) => String(value(column, row))).join(" ").toLowerCase();
    let kept = rows.filter((row) => words.every((word) => text(row).includes(word)));
    if (view.key !== null) kept = [...kept].sort(compare);
    const grouped = options.group && view.key === options.group;
    body.replaceChildren(...kept.map((row, place) => {
      const repeated = grouped && place > 0 && kept[place - 1][options.group] === row[options.group];
      const cells = columns.map((column, i) => cell(column, row, i, repeated && column.key === options.group));
      return firsthit.element("tr", { class: grouped && !repeated ? "begins" : null }, ...cells);
    }));
    count.textContent = `${kept.length} of ${rows.length} rows`;
    heads.forEach((head) => {
      const sorted = head.dataset.key === view.key;
      if (sorted) head.setAttribute("aria-sort", view.falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  const cell = (column, row, i, repeated) => {
    const content = column.cell ? column.cell(row) : firsthit.element("bdi", {}, String(value(column, row)));
    const kind = [column.number ? "number" : "", column.mark && column.mark(row) ? "best" : "", repeated ? "repeated" : ""].join(" ").trim();
    return firsthit.element(i ? "td" : "th", { class: kind || null, scope: i ? null : "row" }, content);
  };
  const sort = (key) => {
    view.falling = view.key === key && !view.falling;
    view.key = key;
    fill();
  };

  const count = firsthit.element("span", { class: "caption", role: "status" });
  const filter = firsthit.element("input", {
    type: "search", placeholder: "filter rows", "aria-label": "filter rows", value: view.filter,
    oninput: (event) => { view.filter = host.dataset.filter = event.target.value; fill(); },
  });
  host.replaceChildren(
    firsthit.element("div", { class: "controls" }, filter, count),
    firsthit.element("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": options.label ?? "table" },
      firsthit.element("table", { class: columns.length > MANY ? "many" : null }, firsthit.element("thead", {}, firsthit.element("tr", {}, ...heads)), body)));
  fill();
};
