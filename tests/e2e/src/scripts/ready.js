// Resolves when the page has started: it says its state.
const started = () => document.body && document.body.dataset.state;
if (started()) return started();
return await new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (started()) {
      observer.disconnect();
      resolve(started());
    }
  });
  observer.observe(document.documentElement, { attributes: true, childList: true, subtree: true });
});
