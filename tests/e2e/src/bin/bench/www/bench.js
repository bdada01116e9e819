// Put into the product's page by the benches, beside its own scripts: says where the answers stand, keeps the main thread busy when
// it is told to, and opens another page at the end. `BENCH` stands before this.
'use strict';

const tell = what => fetch(BENCH.mailbox, { method: 'POST', mode: 'no-cors', body: JSON.stringify(what) }).catch(() => {});
const busy = ms => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/// Where the lines of the answers stand on the screen.
const places = answers => {
  const left = window.mozInnerScreenX ?? screenX + (outerWidth - innerWidth) / 2;
  const top = window.mozInnerScreenY ?? screenY + outerHeight - innerHeight;
  return answers.map(answer => {
    const style = getComputedStyle(answer);
    const place = answer.parentElement.getBoundingClientRect();
    const first = answer.getBoundingClientRect().top + parseFloat(style.paddingTop);
    return {
      x: left + place.left, width: place.width, top: top + first, line: parseFloat(style.lineHeight),
      bottom: top + place.bottom, ratio: devicePixelRatio,
    };
  });
};

const task = what => {
  const channel = new MessageChannel();
  channel.port1.onmessage = what;
  channel.port2.postMessage(0);
};

/// The place of each request, in the order in which they began.
const order = [];

/// A request begins by an empty text in its place, and shows its first piece as an element.
const follow = (answer, place) => {
  let fresh = true;
  new MutationObserver(records => {
    for (const node of records.flatMap(record => [...record.addedNodes])) {
      if (node.nodeType === Node.TEXT_NODE) {
        fresh = true;
        order.push(place);
        if (BENCH.block === 'before') setTimeout(() => busy(150), 100);
      } else if (fresh) {
        fresh = false;
        if (BENCH.mark) performance.mark(`bench-write ${performance.now()}`);
        if (BENCH.block === 'same') busy(150);
        if (BENCH.block === 'after') task(() => busy(150));
      }
    }
  }).observe(answer, { childList: true });
};

const tellOrder = () => {
  if (document.querySelector('.slot')) setTimeout(tellOrder, 1000);
  else tell({ order });
};

new MutationObserver((_, observer) => {
  const answers = [...document.querySelectorAll('.slot > .answer')];
  if (answers.length === 0) return;
  observer.disconnect();
  if (BENCH.follow) {
    answers.forEach(follow);
    setTimeout(tellOrder, 1000);
  }
  // Once the window has its size, and the page its layout.
  setTimeout(() => tell({ places: places(answers) }), 1000);
}).observe(document, { childList: true, subtree: true });

if (BENCH.next) {
  fetch(BENCH.mailbox).then(reply => reply.text()).then(url => { if (url) location.href = url; });
}
