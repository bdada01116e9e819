// As little as a page can do with a stream: fetch, take the text out of the events, append it. One request after the other.
const ask = new URLSearchParams(location.search);
const answer = document.querySelector('.answer');
const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Why is the sky blue?' }] });

const one = async url => {
  answer.textContent = '';
  const text = answer.appendChild(document.createTextNode(''));
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reader = reply.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const piece = JSON.parse(event.slice(6)).choices[0]?.delta?.content;
      if (piece) text.appendData(piece);
    }
  }
};

// The place must be known, and watched, before anything appears in it.
setTimeout(async () => {
  for (let n = 0; n < Number(ask.get('requests')); n += 1) await one(ask.get('url'));
}, 1500);
