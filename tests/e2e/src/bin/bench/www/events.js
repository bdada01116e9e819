// What the bare and the plain page do with a stream: take the text out of its events, and append it.
const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Why is the sky blue?' }] });

export const ask = url => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/// A function that takes the bytes of one read after the other.
export const appender = text => {
  const decoder = new TextDecoder();
  let rest = '';
  return bytes => {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const piece = JSON.parse(event.slice(6)).choices[0]?.delta?.content;
      if (piece) text.appendData(piece);
    }
  };
};
