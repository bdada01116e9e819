// A plain page with many streams: stamps each read, splits and parses its events, and lets each text grow.
import { appender, ask } from './events.js';

const query = new URLSearchParams(location.search);
const count = Number(query.get('streams'));

const probe = async () => {
  const probes = [];
  for (let n = 0; n < 100; n += 1) {
    const asked = performance.now();
    const reply = await (await fetch('/api/clock')).json();
    const answered = performance.now();
    probes.push({ asked: Math.round(asked * 1000), server: reply.us, answered: Math.round(answered * 1000) });
  }
  return probes;
};

const stream = async (url, text) => {
  const reads = [];
  const append = appender(text);
  const reader = (await ask(url)).body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    const at = performance.now();
    if (done) return reads;
    reads.push([Math.round(at * 1000), value.length]);
    append(value);
  }
};

const texts = Array.from({ length: count }, () => {
  const place = document.getElementById('many').appendChild(document.createElement('div'));
  place.className = 'answer';
  return place.appendChild(document.createTextNode(''));
});
const before = await probe();
const reads = await Promise.all(texts.map((text, n) => stream(`${query.get('url')}-${n}`, text)));
tell({ probes: [...before, ...await probe()], reads });
