import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

/** The stream of a page, as the API has it. */
interface Stream {
  environment: string | null;
  /** Sends an event. */
  send: (type: string) => void;
  /** Answers that the session has ended. */
  refuse: () => void;
}

const { fetch, navigator } = globalThis;
const kept = new Map<string, string>();
let streams: Stream[] = [];
let position = 100;

function openStream(_url: string, { headers, signal }: RequestInit): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let body: ReadableStreamDefaultController<Uint8Array>;
  const events = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
  signal?.addEventListener('abort', () => {
    reject(signal?.reason as Error);
    body.error(signal?.reason);
  });
  streams.push({
    environment: new Headers(headers).get('cairn-environment'),
    send: (type) => {
      resolve(new Response(events));
      position += 1;
      body.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ type, position: String(position) })}\n\n`));
    },
    refuse: () => resolve(Response.json({ status: 401, code: 'credential_revoked' }, { status: 401 })),
  });
  return promise;
}

/** As in a browser: a lock is granted in the order in which it was requested. */
function playedLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name: string, _options: unknown, hold: () => Promise<void>) {
      const held = (last.get(name) ?? Promise.resolve()).then(hold);
      const ended = held.catch(() => undefined);
      last.set(name, ended);
      return held;
    },
  };
}

/** A page in the environment, and the types of events that it received. */
async function openPage(environment: 'live' | 'test') {
  const { storeEnvironment } = await import('../app/environment.ts');
  const { followTogether } = await import('./shared-events.ts');
  storeEnvironment(environment);
  const received: string[] = [];
  const leave = new AbortController();
  followTogether((type) => received.push(type), leave.signal);
  return { received, close: () => leave.abort() };
}

/** Everything happens in this process: nothing is waited for but its turn. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

beforeAll(() => {
  Object.assign(globalThis, {
    isSecureContext: true,
    location: { origin: 'http://console.test' },
    sessionStorage: { getItem: (name: string) => kept.get(name) ?? null, setItem: kept.set.bind(kept) },
    fetch: openStream,
  });
});

beforeEach(() => {
  streams = [];
  Object.defineProperty(globalThis, 'navigator', { value: { locks: playedLocks() }, configurable: true });
});

afterAll(() => {
  globalThis.fetch = fetch;
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
});

describe('several pages of one browser', () => {
  it('share one stream of events, which the next one opens when the first is closed', async () => {
    const [first, second] = [await openPage('live'), await openPage('live')];
    await until(() => streams.length === 1);
    streams[0]!.send('memory.document.queued');
    await until(() => second.received.length === 1);
    expect([first.received, second.received, streams.length]).toEqual([
      ['memory.document.queued'],
      ['memory.document.queued'],
      1,
    ]);
    first.close();
    await until(() => streams.length === 2);
    second.close();
  });

  it('have a stream for each environment, and hear of their own alone', async () => {
    const live = await openPage('live');
    await until(() => streams.length === 1);
    const test = await openPage('test');
    await until(() => streams.length === 2);
    expect(streams.map(({ environment }) => environment)).toEqual(['live', 'test']);
    const otherTest = await openPage('test');
    streams[0]!.send('memory.document.queued');
    streams[1]!.send('credential.created');
    await until(() => live.received.length > 0 && otherTest.received.length > 0);
    expect([live.received, test.received, otherTest.received]).toEqual([
      ['memory.document.queued'],
      ['credential.created'],
      ['credential.created'],
    ]);
    for (const page of [live, test, otherTest]) page.close();
  });

  it('open the stream again in turn when it ended with the session and somebody has signed in on one of them', async () => {
    const other = await openPage('live');
    await until(() => streams.length === 1);
    streams[0]!.refuse();
    const signedIn = await openPage('live');
    await until(() => streams.length === 2);
    streams[1]!.send('memory.document.queued');
    await until(() => other.received.length === 1);
    signedIn.close();
    await until(() => streams.length === 3);
    other.close();
  });
});
