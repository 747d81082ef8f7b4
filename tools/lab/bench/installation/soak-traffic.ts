import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, WebSocket } from 'ws';

interface Target {
  baseUrl: string;
  apiKey: string;
}

/** One exchange of a kind; returns its outcome as one word. Rejects when the response is not what the kind expects. */
type Exchange = (target: Target, turn: number) => Promise<string>;

const QUESTIONS = [
  'Who is on call for the freezer alarms?',
  'What does the travel policy say about trains?',
  'When was the last outage and what was changed afterwards?',
  'Which team looks after billing?',
];
const RUN_TIMEOUT_MS = 60_000;
const LARGE_BYTES = 3 * 1_048_576;

function json(target: Target, method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(target.baseUrl + path, {
    method,
    headers: { 'x-api-key': target.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The status; 429 and 503 are honest answers of a busy system, everything else has to be expected. */
async function expected(answer: Promise<Response>, ...statuses: number[]): Promise<string> {
  const response = await answer;
  await response.arrayBuffer();
  if (![...statuses, 429, 503].includes(response.status)) throw new Error(`status ${response.status}`);
  return `${response.status}`;
}

const question = (turn: number) => ({ query: QUESTIONS[turn % QUESTIONS.length] });

async function abortedStream(target: Target, turn: number): Promise<string> {
  const ended = new AbortController();
  const response = await json(target, 'POST', '/api/v1/memory/search/stream', question(turn), ended.signal);
  if (response.ok) await response.body!.getReader().read();
  ended.abort();
  return response.ok ? 'aborted' : `${response.status}`;
}

/** An upload that breaks off in its middle. */
function abortedUpload({ baseUrl, apiKey }: Target): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(`${baseUrl}/api/v1/memory/documents`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': 100_000 },
    });
    request.on('error', () => resolve('aborted'));
    request.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(`${response.statusCode}`));
    });
    request.write('{"documents":[{"content":"');
    setTimeout(() => request.destroy(new Error('enough')), 50);
  });
}

/** A run over the documents, followed over its WebSocket to the end or, every other time, left in its middle. */
async function watchedRun(target: Target, turn: number): Promise<string> {
  const started = await json(target, 'POST', '/api/v1/search/service-deep-search/start', {
    prompt: `${QUESTIONS[turn % QUESTIONS.length]} Use my documents only`,
  });
  if (!started.ok) return expected(Promise.resolve(started), 402);
  const { websocket_url: url } = (await started.json()) as { websocket_url: string };
  const socket = new WebSocket(url);
  let events = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.terminate(), RUN_TIMEOUT_MS);
    // The key's rate holds for a connection, too; the run then expires unwatched.
    socket.on('error', (error) => (error.message.endsWith(' 429') ? resolve('429') : reject(error)));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(turn % 2 === 0 ? 'watched' : 'left');
    });
    socket.on('message', (data: RawData) => {
      events += 1;
      if (turn % 2 === 1 && events === 3) socket.terminate();
      const type = (JSON.parse(data.toString()) as { type?: string }).type ?? '';
      if (/^run\.(?:completed|failed|cancelled|expired)$/.test(type)) socket.close();
    });
  });
}

const NONSENSE = [
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'POST /api/v1/memory/documents HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
  'GET /api/v1/memories HTTP/1.1\r\nHost: a\r\nx-api-key: ',
];

/** Bytes that are no request, or half of one; the connection is closed soon after. */
function nonsense({ baseUrl }: Target, turn: number): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(NONSENSE[turn % NONSENSE.length]!);
      setTimeout(() => socket.destroy(), 200);
    });
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => resolve('closed'));
  });
}

/** What each kind of traffic does, and the pause between two of its exchanges in milliseconds. */
export const KINDS: Record<string, { everyMs: number; exchange: Exchange }> = {
  'list of memories': { everyMs: 50, exchange: (target) => expected(json(target, 'GET', '/api/v1/memories'), 200) },
  'plain search': {
    everyMs: 100,
    exchange: (target, turn) => expected(json(target, 'POST', '/api/v1/memory/search', question(turn)), 200),
  },
  'streamed search': {
    everyMs: 200,
    exchange: (target, turn) => expected(json(target, 'POST', '/api/v1/memory/search/stream', question(turn)), 200),
  },
  'stream left after its first bytes': { everyMs: 200, exchange: abortedStream },
  'document, replaced': {
    everyMs: 2_000,
    exchange: (target, turn) => {
      const documents = [
        { content: `Note ${turn}: the ferry sails at ${turn % 24}.`, external_id: `note-${turn % 50}` },
      ];
      return expected(json(target, 'POST', '/api/v1/memory/documents', { documents }), 202);
    },
  },
  'upload left in its middle': { everyMs: 500, exchange: abortedUpload },
  'run over a WebSocket': { everyMs: 3_000, exchange: watchedRun },
  'body that is no JSON': {
    everyMs: 250,
    exchange: (target) => {
      const headers = { 'x-api-key': target.apiKey, 'content-type': 'application/json' };
      const body = '{"query": ';
      return expected(fetch(`${target.baseUrl}/api/v1/memory/search`, { method: 'POST', headers, body }), 400);
    },
  },
  'body too large': {
    everyMs: 2_000,
    exchange: (target) => {
      const query = 'x'.repeat(LARGE_BYTES);
      return json(target, 'POST', '/api/v1/memory/search', { query }).then(
        (answer) => expected(Promise.resolve(answer), 413, 422, 400),
        // Refused while it was being sent.
        () => 'cut',
      );
    },
  },
  'unknown key': {
    everyMs: 250,
    exchange: (target) => expected(json({ ...target, apiKey: 'ck_live_nobody' }, 'GET', '/api/v1/memories'), 401),
  },
  'bytes that are no request': { everyMs: 250, exchange: nonsense },
};

export interface TrafficResult {
  exchanges: number;
  /** How often each outcome was seen. */
  outcomes: Record<string, number>;
  /** Exchanges that ended otherwise than their kind expects, and the first few reasons. */
  wrong: number;
  reasons: string[];
}

const REASONS_MAX = 5;

/** Sends one kind of traffic until `signal` aborts. */
export async function send(target: Target, kind: string, signal: AbortSignal): Promise<TrafficResult> {
  const { everyMs, exchange } = KINDS[kind]!;
  const sent: TrafficResult = { exchanges: 0, outcomes: {}, wrong: 0, reasons: [] };
  for (let turn = 0; !signal.aborted; turn += 1) {
    try {
      const outcome = await exchange(target, turn);
      sent.outcomes[outcome] = (sent.outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      sent.wrong += 1;
      if (sent.reasons.length < REASONS_MAX) sent.reasons.push(String((error as Error).message));
    }
    sent.exchanges += 1;
    await sleep(everyMs);
  }
  return sent;
}
