import type { HostileClient } from './hostile-client.ts';
import type { HostileFile } from './hostile-files.ts';
import type { HostileSites } from './hostile-sites.ts';

export interface AttackContext {
  client: HostileClient;
  liveKey: string;
  testKey: string;
  random: () => number;
  sites: HostileSites;
  files: readonly HostileFile[];
  /** Aborts when the run is over. */
  signal: AbortSignal;
}

export interface Attack {
  name: string;
  /** Mean pause between two turns of one loop. */
  everyMs: number;
  /** Loops side by side. */
  parallel: number;
  /** One turn; resolves with its outcome as one word, usually the status. */
  run(context: AttackContext): Promise<string>;
}

export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

/** The live key two times out of three, else the test key, which is never charged. */
export function someKey({ random, liveKey, testKey }: AttackContext): string {
  return random() < 0.67 ? liveKey : testKey;
}

export async function postJson(
  context: AttackContext,
  path: string,
  body: unknown,
  apiKey: string = someKey(context),
): Promise<{ status: string; body: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await context.client.send('POST', path, { apiKey, body: text });
  return { status: `${response.status}`, body: response.body };
}
