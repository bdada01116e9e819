// Resolves when the condition holds; it is looked at after every change of the page.
const holds = () => { CONDITION };
const first = holds();
if (first) return first;
return await new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    const now = holds();
    if (now) {
      observer.disconnect();
      resolve(now);
    }
  });
  observer.observe(document.documentElement, { attributes: true, childList: true, characterData: true, subtree: true });
});
