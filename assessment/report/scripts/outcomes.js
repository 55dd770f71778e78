// How runs ended, how often they restarted and why, and what failed.
"use strict";

firsthit.panels.push({
  id: "outcomes",
  async draw({ figure }) {
    const rows = firsthit.rows(firsthit.data.outcomes, (row) => firsthit.here(row) && !firsthit.hidden.has(row.algorithm))
      .map((row) => ({ ...row, algorithm: firsthit.starred(row.algorithm) }));
    const counted = ["runs", "target", "budget", "terminated", "failed", "timeout", "interrupted", "evaluations", "restarts"];
    const columns = [
      { key: "algorithm", title: "algorithm", cell: (row) => firsthit.nameCell(row.algorithm) },
      ...counted.map((key) => ({ key, title: key === "restarts" ? "restarts per run" : key, number: true, text: (row) => firsthit.number(row[key]) })),
    ];
    const ends = firsthit.element("div");
    firsthit.table(ends, columns, rows, { label: "how runs ended" });
    const reasons = firsthit.rows(firsthit.data.reasons, (row) => firsthit.here(row) && !firsthit.hidden.has(row.algorithm))
      .map((row) => ({ ...row, algorithm: firsthit.name(row.algorithm) }));
    const why = firsthit.element("div");
    if (reasons.length) {
      firsthit.table(why, [
        { key: "algorithm", title: "algorithm", cell: (row) => firsthit.nameCell(row.algorithm) },
        { key: "kind", title: "kind" },
        { key: "text", title: "reason or error" },
        { key: "count", title: "times", number: true },
      ], reasons, { label: "reasons of restarts and errors" });
    }
    figure.replaceChildren(ends, why);
    const plain = ({ suite, ...rest }) => rest;
    return { plots: [], rows: () => rows.map(plain), command: `firsthit assess termination ${firsthit.data.logs.map(firsthit.quoted).join(" ")} --suites ${firsthit.quoted(firsthit.suite().name)} --dimensions ${firsthit.choice.dimension} --format csv` };
  },
});
