import { WebSocket } from 'ws';

/** What one watcher received. */
export interface WatchResult {
  threadId: string;
  /** Latency from writing an event to receiving it, for events written while this watcher was connected. */
  latenciesMs: number[];
  events: number;
  /** Sequence numbers that were duplicated or missing. */
  faults: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
}

interface Event {
  seq: number;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

const ENDED = /^run\.(?:completed|failed|cancelled|expired)$/;

function watcherOf(threadId: string): { watched: WatchResult; take: (text: string) => boolean } {
  const watched: WatchResult = {
    threadId,
    latenciesMs: [],
    events: 0,
    faults: 0,
    startedAtMs: null,
    endedAtMs: null,
  };
  const since = Date.now();
  let last = 0;
  return {
    watched,
    take(text) {
      const event = JSON.parse(text) as Event;
      const atMs = Date.parse(event.at);
      if (event.seq !== last + 1) watched.faults += 1;
      last = event.seq;
      watched.events += 1;
      // Events from before the connection are delivered at once, whenever they were written.
      if (atMs >= since) watched.latenciesMs.push(Date.now() - atMs);
      if (event.type === 'run.started') watched.startedAtMs = atMs;
      if (!ENDED.test(event.type)) return false;
      watched.endedAtMs = atMs;
      return true;
    },
  };
}

/** Connects by WebSocket, which starts the run, and watches until its end. */
export function watchBySocket(
  url: string,
  threadId: string,
  onEvent: (event: Event) => void = () => undefined,
): { opened: Promise<void>; ended: Promise<WatchResult> } {
  const { watched, take } = watcherOf(threadId);
  const socket = new WebSocket(url);
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      socket.send(JSON.stringify({ type: 'hello', last_seq: 0 }));
      resolve();
    });
    socket.once('error', reject);
  });
  const ended = new Promise<WatchResult>((resolve, reject) => {
    socket.on('message', (bytes) => {
      const text = (bytes as Buffer).toString();
      take(text);
      onEvent(JSON.parse(text) as Event);
    });
    socket.once('close', () => resolve(watched));
    socket.once('error', reject);
  });
  return { opened, ended };
}

/** Watches by server-sent events until the run's end. */
export async function watchByStream(
  baseUrl: string,
  apiKey: string,
  threadId: string,
): Promise<{ ended: Promise<WatchResult> }> {
  const { watched, take } = watcherOf(threadId);
  const response = await fetch(`${baseUrl}/research/stream/${threadId}`, { headers: { 'x-api-key': apiKey } });
  if (response.status !== 200) throw new Error(`the stream of ${threadId} answers ${response.status}`);
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body!) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined && take(data)) return watched;
      }
    }
    return watched;
  };
  return { ended: read() };
}
