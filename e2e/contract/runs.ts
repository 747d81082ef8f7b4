import { eventually } from '@cairn/testing';
import { WebSocket } from 'ws';
import type { Call } from './contract.ts';

// The cases look into events of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type RunMessage = Record<string, any>;

interface Connection {
  /** What came so far. */
  messages: RunMessage[];
  /** The entries of the log among them. */
  log(): RunMessage[];
  send(message: object | string): void;
  /** The code with which it was closed. */
  closed: Promise<number>;
  close(): void;
}

const ENDS_MS = 60_000;
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Connects to a run, and says hello with the last event that is known. */
export async function connect(url: string, { lastSeq = 0, ...options }: ConnectOptions = {}): Promise<Connection> {
  const socket = new WebSocket(url, options);
  const messages: RunMessage[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as RunMessage));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const send = (message: object | string) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  send({ type: 'hello', last_seq: lastSeq });
  return {
    messages,
    log: () => messages.filter(({ seq }) => seq !== undefined),
    send,
    closed,
    close: () => socket.close(),
  };
}

interface ConnectOptions {
  lastSeq?: number;
  headers?: Record<string, string>;
  origin?: string;
}

/** Expects that the address refuses the upgrade, and says with which status. */
export async function refusedUpgrade(url: string, options: ConnectOptions = {}): Promise<number> {
  const failure = await connect(url, options).then(
    (connection) => {
      connection.close();
      return new Error('Unexpected server response: 101');
    },
    (error: Error) => error,
  );
  return Number(/\d+$/.exec(failure.message)?.[0]);
}

/** The status of a run as soon as it is one of these; by default once it has ended. */
export async function statusOf(call: Call, threadId: string, wanted: ReadonlySet<string> = OVER): Promise<RunMessage> {
  const answer = await eventually(
    () => call('GET', `/search/workflow/status/${threadId}`),
    ({ body }) => wanted.has(body.status) || OVER.has(body.status),
    ENDS_MS,
  );
  return answer.body as RunMessage;
}

/** The whole log of a run that has ended, by its event stream. */
export async function streamed(
  url: string,
  apiKey: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(url, { headers: { 'x-api-key': apiKey, ...headers } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
