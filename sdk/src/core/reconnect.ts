import { CairnError, ConnectionError } from './errors.ts';
import { sleep } from './transport.ts';

const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 10_000;
/** Connections in a row that bring nothing, after which the stream is given up. */
const RECONNECTS_MAX = 8;

/** What an event is to who has seen others: known already, a sign of life only, or new. */
type Worth = 'repeated' | 'noted' | 'new';

interface Reconnecting<Event> {
  /** Opens the stream after the last event that was seen. */
  open(): AsyncIterable<Event>;
  /** Remembers the event. */
  take(event: Event): Worth;
  isLast(event: Event): boolean;
  /** What is said when the stream is given up. */
  brokeOff(): string;
  signal: AbortSignal | undefined;
}

/** Yields the new events of a stream that is opened again, after the last one that was seen, whenever it breaks off. */
export async function* reconnecting<Event>(stream: Reconnecting<Event>): AsyncGenerator<Event> {
  for (let failures = 0; ;) {
    let broughtSomething = false;
    try {
      for await (const event of stream.open()) {
        const worth = stream.take(event);
        if (worth === 'repeated') continue;
        broughtSomething = true;
        if (worth === 'noted') continue;
        yield event;
        if (stream.isLast(event)) return;
      }
    } catch (error) {
      // What is refused stays refused; what broke off is opened again.
      const broken = error instanceof ConnectionError || (error instanceof CairnError && error.status >= 500);
      if (!broken || failures >= RECONNECTS_MAX) throw error;
    }
    failures = broughtSomething ? 0 : failures + 1;
    // A stream that was ended by the server's time limit is simply opened again.
    if (failures > RECONNECTS_MAX) throw new ConnectionError(stream.brokeOff());
    await sleep(Math.min(RECONNECT_FIRST_MS * 2 ** failures, RECONNECT_MAX_MS), stream.signal);
  }
}
