import { parentPort, workerData } from 'node:worker_threads';
import { type AnsweredCalls, callInTurns } from '../../measurement/callers.ts';

export interface Load {
  /** Asked by turns. */
  addresses: { url: string; headers: Record<string, string> }[];
  path: string;
  /** Bodies of the requests; each free caller sends the next one. */
  bodies: string[];
  callers: number;
}

const answered = await askAll(workerData as Load);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort!.postMessage(answered);

async function askAll({ addresses, path, bodies, callers }: Load): Promise<AnsweredCalls> {
  return callInTurns(bodies.entries(), callers, async ([n, body]) => {
    const { url, headers } = addresses[n % addresses.length]!;
    const response = await fetch(url + path, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
}
