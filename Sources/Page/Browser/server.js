// Asks the server, and hears from it what changes.

/** An answer that says why something can't be done. */
export class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** Asks a question, and returns the answer. */
export async function ask(name, question = {}) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question),
    });
  } catch {
    throw new Refusal('The connection to the app is lost.', 'lost');
  }
  if (response.status === 403) throw new Refusal("This page isn't allowed in any more: open its address again.", 'refused');
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error, answer.code);
  return answer;
}

/**
 * Calls functions with what happens, from now on: `changed` with the moment of the session, `output` with a text, `connected`
 * with whether the server can be reached. A lost connection is made again by itself, and begins with the present.
 */
export function listen({ changed, output, connected }) {
  const events = new EventSource('/events');
  events.addEventListener('open', () => connected(true));
  events.addEventListener('error', () => {
    connected(false);
    // Browsers give up where nothing listens.
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(() => listen({ changed, output, connected }), 1000);
  });
  events.addEventListener('changed', (event) => changed(JSON.parse(event.data)));
  events.addEventListener('output', (event) => output(JSON.parse(event.data)));
}
