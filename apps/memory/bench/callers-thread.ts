import { parentPort, workerData } from 'node:worker_threads';

export interface Load {
  /** Asked by turns. */
  addresses: { url: string; headers: Record<string, string> }[];
  path: string;
  /** Bodies of the requests; each free caller sends the next one. */
  bodies: string[];
  callers: number;
}

export interface AskedAll {
  /** Of each request, in milliseconds. */
  times: number[];
  tookMs: number;
}

const answered = await askAll(workerData as Load);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort!.postMessage(answered);

async function askAll({ addresses, path, bodies, callers }: Load): Promise<AskedAll> {
  const times: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < bodies.length) {
      const { url, headers } = addresses[next % addresses.length]!;
      const body = bodies[next++]!;
      const startedMs = performance.now();
      const response = await fetch(url + path, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      times.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  return { times, tookMs: performance.now() - startedMs };
}
