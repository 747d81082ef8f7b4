import { connect, type Socket } from 'node:net';
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends load in a process of its own; its one argument is this as JSON. Prints what it saw as JSON. */
export interface LoadArguments {
  url: string;
  apiKey: string;
  connections: number;
  seconds: number;
  /** Requests a second over all connections, sent whatever becomes of those before; undefined: as many as fit. */
  rate?: number | undefined;
}

export interface LoadResult {
  /** All that were answered; the other figures leave out those of the first second, in which connections are made. */
  requests: number;
  perSecond: number;
  /** From the moment a request was due, also when no connection was free: slow responses hide no later request. */
  p50Ms: number;
  p99Ms: number;
  notOk: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i;
const OK = 'HTTP/1.1 200 ';
/** Load before the first request that is timed. */
const WARM_UP_MS = 1_000;

/** One keep-alive connection. The client libraries cost more than what is measured, and tell whole milliseconds. */
class Caller {
  private readonly socket: Socket;
  private readonly onResponse: (caller: Caller, isOk: boolean) => void;
  private received = '';
  /** When the request that is under way was due. */
  dueMs = 0;

  constructor(port: number, host: string, onResponse: (caller: Caller, isOk: boolean) => void) {
    this.onResponse = onResponse;
    this.socket = connect({ port, host, noDelay: true });
    this.socket.on('data', (bytes) => this.take(bytes.toString('latin1')));
    this.socket.on('close', () => this.onResponse(this, false));
    this.socket.on('error', () => undefined);
  }

  send(request: string, dueMs: number): void {
    this.dueMs = dueMs;
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.removeAllListeners('close');
    this.socket.destroy();
  }

  private take(text: string): void {
    this.received += text;
    const end = this.received.indexOf(HEAD_END);
    if (end === -1) return;
    const length = Number(LENGTH.exec(this.received.slice(0, end + 2))?.[1] ?? 0);
    if (this.received.length < end + HEAD_END.length + length) return;
    const isOk = this.received.startsWith(OK);
    this.received = '';
    this.onResponse(this, isOk);
  }
}

async function run({ url, apiKey, connections, seconds, rate }: LoadArguments): Promise<LoadResult> {
  const { hostname, port, pathname, host } = new URL(url);
  const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${apiKey}\r\n\r\n`;
  const histogram: RecordableHistogram = createHistogram();
  const free: Caller[] = [];
  /** When each request was due that no connection was free for. */
  const waiting: number[] = [];
  let isOver = false;
  let notOk = 0;
  const respond = (caller: Caller, isOk: boolean) => {
    if (isOver) return;
    const now = performance.now();
    if (!isOk) notOk += 1;
    // In nanoseconds.
    histogram.record(Math.max(1, Math.round((now - caller.dueMs) * 1e6)));
    const due = rate === undefined ? now : waiting.shift();
    if (due === undefined) free.push(caller);
    else caller.send(request, due);
  };
  const callers = Array.from({ length: connections }, () => new Caller(Number(port), hostname, respond));
  const startedMs = performance.now();
  if (rate === undefined) for (const caller of callers) caller.send(request, startedMs);
  else free.push(...callers);
  let sent = 0;
  const sendDue = () => {
    const now = performance.now();
    for (const due = ((now - startedMs) * rate!) / 1_000; sent < due; sent += 1) {
      const caller = free.shift();
      if (caller === undefined) waiting.push(now);
      else caller.send(request, now);
    }
  };
  const ticking = rate === undefined ? undefined : setInterval(sendDue, 1);
  // Connections are made and code is compiled once, not for each request.
  await sleep(WARM_UP_MS);
  const before = histogram.count;
  histogram.reset();
  const recordedFromMs = performance.now();
  await sleep(seconds * 1_000);
  isOver = true;
  clearInterval(ticking);
  const elapsedSeconds = (performance.now() - recordedFromMs) / 1_000;
  for (const caller of callers) caller.close();
  return {
    requests: before + histogram.count,
    perSecond: histogram.count / elapsedSeconds,
    p50Ms: histogram.percentile(50) / 1e6,
    p99Ms: histogram.percentile(99) / 1e6,
    notOk,
  };
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as LoadArguments)));
