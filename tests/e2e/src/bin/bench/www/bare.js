// As little as a page can do with a stream: fetch, take the text out of the events, append it. One request after the other.
import { appender, ask } from './events.js';

const query = new URLSearchParams(location.search);
const answer = document.querySelector('.answer');

const one = async url => {
  answer.textContent = '';
  const append = appender(answer.appendChild(document.createTextNode('')));
  const reader = (await ask(url)).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    append(value);
  }
};

// The place must be known, and watched, before anything appears in it.
setTimeout(async () => {
  for (let n = 0; n < Number(query.get('requests')); n += 1) await one(query.get('url'));
}, 1500);
