// The table of metrics, as text. An interval stands in a smaller element behind its figure.
const text = (node) => (node ? node.textContent.trim() : "");
const cell = (td) => {
  const interval = td.querySelector("small");
  return { figure: text([...td.childNodes].find((node) => text(node))), interval: interval && text(interval) };
};
return [...document.querySelectorAll("#metrics tr[data-metric]")].map((row) => ({
  metric: row.dataset.metric,
  mode: row.dataset.mode,
  edge: row.dataset.edge,
  cells: Object.fromEntries([...row.querySelectorAll("td[data-stat]")].map((td) => [td.dataset.stat, cell(td)])),
  reason: text(row.querySelector("td.reason")),
}));
