// Resolves when the page has started: it says its state. Rejects when it says that it could not start.
const look = () => {
  const failure = document.getElementById("failure");
  if (failure && !failure.hidden) throw new Error(failure.textContent.trim());
  return document.body && document.body.dataset.state;
};
const now = look();
if (now) return now;
return await new Promise((resolve, reject) => {
  const observer = new MutationObserver(() => {
    try {
      const state = look();
      if (!state) return;
      resolve(state);
    } catch (error) {
      reject(error);
    }
    observer.disconnect();
  });
  observer.observe(document.documentElement, { attributes: true, childList: true, subtree: true });
});
