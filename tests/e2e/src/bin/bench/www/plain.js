// A plain page with many streams: stamps each read, splits and parses its events, and lets each text grow.
const ask = new URLSearchParams(location.search);
const count = Number(ask.get('streams'));
const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Why is the sky blue?' }] });

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
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reader = reply.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const at = performance.now();
    if (done) return reads;
    reads.push([Math.round(at * 1000), value.length]);
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const piece = JSON.parse(event.slice(6)).choices[0]?.delta?.content;
      if (piece) text.appendData(piece);
    }
  }
};

const texts = Array.from({ length: count }, () => {
  const place = document.getElementById('many').appendChild(document.createElement('div'));
  place.className = 'answer';
  return place.appendChild(document.createTextNode(''));
});
const before = await probe();
const reads = await Promise.all(texts.map((text, n) => stream(`${ask.get('url')}-${n}`, text)));
tell({ probes: [...before, ...await probe()], reads });
