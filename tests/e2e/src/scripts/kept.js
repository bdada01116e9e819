// Everything that the page keeps in this browser, as it lies there: a text by its key.
const asked = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const opening = indexedDB.open("firstlight");
// It is for the page to make it.
opening.onupgradeneeded = () => opening.transaction.abort();
const database = await asked(opening).catch(() => null);
if (!database) return {};
try {
  const store = database.transaction("kept").objectStore("kept");
  const [keys, texts] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
  return Object.fromEntries(keys.map((key, at) => [key, texts[at]]));
} finally {
  database.close();
}
