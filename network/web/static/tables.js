// Tables that are sorted by the column whose head is pressed, and files that say how much of them is there.

import { make, number, say } from "./dom.js";

const LATIN = (digit) => digit.codePointAt(0) & 15; // a digit of any script that the pages have

/** What a cell counts as: a number, or a text. */
function valueOf(row, column) {
  const text = row.cells[column].textContent.trim();
  const latin = text.replace(/\p{Nd}/gu, LATIN).replace(/[٫,]/g, ".").replace(/[−–]/g, "-");
  return latin !== "" && !Number.isNaN(Number(latin)) ? Number(latin) : text;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return other - one; // the most first
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one.localeCompare(other, document.documentElement.lang, { numeric: true });
}

for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", "sorts", ...head.childNodes);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const isSorted = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isSorted ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].sort((row, other) => compare(valueOf(row, column), valueOf(other, column)));
      table.tBodies[0].append(...(isSorted ? rows.reverse() : rows));
    });
  });
}

// A file of thousands of matches is made while it is sent: nobody knows before how long it will be.
const progress = document.getElementById("progress");
for (const link of document.querySelectorAll("a[download]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    progress.textContent = say("making");
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) return void location.assign(link.href); // the page says why not
      const parts = [];
      let size = 0;
      for (const reader = answer.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        size += value.length;
        progress.textContent = say("so_far", { kb: number(Math.ceil(size / 1000)) });
      }
      const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition"))?.[1] ?? "nimmt";
      const saved = make("a");
      saved.href = URL.createObjectURL(new Blob(parts, { type: answer.headers.get("content-type") }));
      saved.download = named;
      saved.click();
      setTimeout(() => URL.revokeObjectURL(saved.href), 60000);
    } catch {
      progress.textContent = say("lost");
    }
  });
}

document.body.dataset.state = "live";
