import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface PoliteTarget {
  baseUrl: string;
  apiKey: string;
}

export interface LatencySample {
  kind: string;
  /** 0 when there was no response. */
  status: number;
  /** From the moment the request was due, so that a stall counts for all that wait behind it. */
  ms: number;
  body: string;
}

const QUESTIONS = [
  'What changed after the March freezer alarm outage?',
  'Who is on call for the freezer alarms?',
  'What does the travel policy say about trains?',
  'Which team looks after billing?',
];
const REQUEST_TIMEOUT_MS = 60_000;

interface Due {
  kind: string;
  everyMs: number;
  request: (turn: number) => { method: string; path: string; body?: unknown };
}

/** What a modest application does: about nine requests a second on seven kinds of operation. */
const SCHEDULE: readonly Due[] = [
  {
    kind: 'search',
    everyMs: 333,
    request: (turn) => ({
      method: 'POST',
      path: '/api/v1/memory/search',
      body: { query: QUESTIONS[turn % QUESTIONS.length] },
    }),
  },
  { kind: 'list memories', everyMs: 500, request: () => ({ method: 'GET', path: '/api/v1/memories' }) },
  { kind: 'list saved lists', everyMs: 1_000, request: () => ({ method: 'GET', path: '/api/v1/search/lists' }) },
  { kind: 'list keys', everyMs: 1_000, request: () => ({ method: 'GET', path: '/api/v1/api-keys?limit=10' }) },
  { kind: 'list webhooks', everyMs: 1_000, request: () => ({ method: 'GET', path: '/api/v1/webhooks' }) },
  { kind: 'usage', everyMs: 2_000, request: () => ({ method: 'GET', path: '/api/v1/usage/llm' }) },
  {
    kind: 'ingest',
    everyMs: 2_000,
    request: (turn) => ({
      method: 'POST',
      path: '/api/v1/memory/documents',
      body: {
        content: `Note ${turn}: the ferry to Ulvik sails at ${turn % 24}:15 from pier ${turn % 7}.`,
        external_id: `note-${turn % 50}`,
      },
    }),
  },
];

/** Sends the polite tenant's schedule, open loop, until the time is over; resolves with every sample. */
export async function sendSchedule(target: PoliteTarget, durationMs: number): Promise<LatencySample[]> {
  const agent = new Agent({ keepAlive: true });
  const samples: LatencySample[] = [];
  const beginMs = performance.now();
  const sending = SCHEDULE.map(async ({ kind, everyMs, request }) => {
    const open: Promise<LatencySample>[] = [];
    for (let turn = 0; turn * everyMs < durationMs; turn += 1) {
      const dueMs = beginMs + turn * everyMs;
      await sleep(Math.max(0, dueMs - performance.now()));
      open.push(sample(kind, dueMs, sendOne(agent, target, request(turn))));
    }
    samples.push(...(await Promise.all(open)));
  });
  await Promise.all(sending);
  agent.destroy();
  return samples;
}

async function sample(
  kind: string,
  dueMs: number,
  sent: Promise<{ status: number; body: string }>,
): Promise<LatencySample> {
  const { status, body } = await sent;
  return { kind, status, body, ms: performance.now() - dueMs };
}

interface PoliteRequest {
  method: string;
  path: string;
  body?: unknown;
}

/** As HTTP clients do, sends again what met the end of a kept connection: the server may close one when it is idle. */
function sendOne(
  agent: Agent,
  target: PoliteTarget,
  sent: PoliteRequest,
  again = true,
): Promise<{ status: number; body: string }> {
  const { baseUrl, apiKey } = target;
  const { method, path, body } = sent;
  return new Promise((resolve) => {
    const request = httpRequest(
      baseUrl + path,
      {
        method,
        agent,
        timeout: REQUEST_TIMEOUT_MS,
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          if (response.statusCode !== 200 && text.length < 2_000) text += piece;
        });
        response.on('error', (error) => resolve({ status: 0, body: error.message }));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (again && request.reusedSocket && error.code === 'ECONNRESET') resolve(sendOne(agent, target, sent, false));
      else resolve({ status: 0, body: error.message });
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
