// Asks the server, and hears from it what changes.

// A browser that comes in finds the token in the page. It is kept where only this port can read it, and not in the address.
const given = document.querySelector('meta[name=token]')?.content;
if (given) {
  localStorage.setItem('token', given);
  history.replaceState(null, '', location.pathname + location.hash);
}
localStorage.user ??= String(Math.random());
const token = () => localStorage.getItem('token') ?? '';

/** An answer that says why something can't be done. */
class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const request = (name, question) => fetch(`/api/${name}`, {
  method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Token': token() },
  body: JSON.stringify({ ...question, user: localStorage.user }),
});

export async function ask(name, question = {}) {
  let response;
  try {
    response = await request(name, question);
    // A server that was started again with the same token gives another cookie.
    if (response.status === 403 && (await fetch(`/?token=${token()}`)).ok) response = await request(name, question);
  } catch {
    throw new Refusal('The connection to the app is lost.', 'lost');
  }
  if (response.status === 403) throw new Refusal('Access has ended: open the address that the server prints.', 'refused');
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error, answer.code);
  return answer;
}

/** Counts that somebody asks once more, and returns whether that is still the last time: earlier answers may come later. */
export function lastTime(asker) {
  const number = (asker.times ?? 0) + 1;
  asker.times = number;
  return () => number === asker.times;
}

/**
 * Calls functions with what happens, from now on: `changed` with the moment of the session, `output` with a text, `connected`
 * with why the server can't be reached, or nothing. A page in sight connects again by itself, and begins with the present.
 */
export function listen({ changed, output, connected }) {
  let events;
  const open = () => {
    events = new EventSource(`/events?token=${token()}`);
    events.addEventListener('open', () => connected());
    events.addEventListener('error', () => {
      connected('The connection to the app is lost. It is tried again …');
      // Browsers give up where nothing listens, or access has ended.
      if (events.readyState === EventSource.CLOSED) setTimeout(retry, 1000);
    });
    events.addEventListener('changed', (event) => changed(JSON.parse(event.data)));
    events.addEventListener('output', (event) => output(JSON.parse(event.data)));
  };
  const retry = async () => {
    if (document.hidden || events.readyState !== EventSource.CLOSED) return;
    try {
      await ask('describe');
      open();
    } catch (refusal) {
      if (refusal.code === 'refused') connected(refusal.message);
      setTimeout(retry, 1000);
    }
  };
  // Browsers have few connections to a server: a page that nobody looks at needs none.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) events.close(); else if (events.readyState === EventSource.CLOSED) open();
  });
  open();
}
