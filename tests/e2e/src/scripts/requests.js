// The table of requests.
return [...document.querySelectorAll("#requests-table tr[data-request]")].map((row) => ({
  id: Number(row.dataset.request),
  outcome: row.dataset.outcome,
  text: row.innerText,
}));
