// The text behind the link that saves the run.
const link = document.getElementById("save");
if (!link || !link.href) throw new Error("there is no link that saves the run");
const blob = window.__e2e.blobs.get(link.href);
return await (blob || (await (await fetch(link.href)).blob())).text();
