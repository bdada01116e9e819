// The table of metrics, as text.
return [...document.querySelectorAll("#metrics tr[data-metric]")].map((row) => ({
  metric: row.dataset.metric,
  mode: row.dataset.mode,
  cells: Object.fromEntries([...row.querySelectorAll("td[data-stat]")].map((td) => [td.dataset.stat, td.textContent.trim()])),
}));
