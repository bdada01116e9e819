// Everything that the page keeps in this browser, as it lies there: a text by its key.
const asked = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// It is for the page to make it: opening one that is not there would.
const all = await indexedDB.databases();
if (!all.some(({ name }) => name === "firstlight")) return {};
const database = await asked(indexedDB.open("firstlight"));
try {
  const store = database.transaction("kept").objectStore("kept");
  const [keys, texts] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
  return Object.fromEntries(keys.map((key, at) => [key, texts[at]]));
} finally {
  database.close();
}
