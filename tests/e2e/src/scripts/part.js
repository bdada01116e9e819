// The tables of a part of the result: caption, and the cells of each row. arguments: the part's id.
const text = (cell) => cell.textContent.trim();
const part = document.querySelector(`section[id="${arguments[0]}"]`);
return part && [...part.querySelectorAll("table")].map((table) => ({
  caption: table.caption ? text(table.caption) : "",
  rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map(text)),
}));
