// Asks the page's own server for its clock, one question after the other; all times in µs. args: how often.
const probes = [];
for (let n = 0; n < args[0]; n++) {
  const asked = performance.now();
  const reply = await fetch("/api/clock", { cache: "no-store" });
  const { us } = await reply.json();
  const answered = performance.now();
  probes.push({ asked: Math.round(asked * 1000), server: us, answered: Math.round(answered * 1000) });
}
return probes;
