// SPDX-License-Identifier: GPL-3.0-or-later
// The report reads well without this. It sorts tables, unfolds what a link leads to, and unfolds everything for print.
"use strict";
(() => {
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    // None stands as text among numbers: it goes to the end.
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a.localeCompare(b, undefined, { numeric: true });
  };
  const sortBy = (table, header) => {
    const column = header.cellIndex;
    const down = header.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => compare(valueOf(a, column), valueOf(b, column)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sortBy(table, header));
    }
  }
  // A link leads to something that may be folded.
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const inner = target.querySelector(":scope > details");
    if (inner) inner.open = true;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();
  const folded = [];
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details:not([open])")) {
      part.open = true;
      folded.push(part);
    }
  });
  addEventListener("afterprint", () => {
    for (const part of folded.splice(0)) part.open = false;
  });
})();
