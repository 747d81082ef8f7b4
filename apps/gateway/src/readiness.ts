import { CairnError } from '@cairn/errors';
import type { Upstreams } from './route-table.ts';

const READY_CHECK_TIMEOUT_MS = 2_000;
/** Anyone may ask; the services are not asked more often than this. */
const READY_KEPT_MS = 500;

/** Throws `unavailable`, naming the services that are not ready. */
export function createReadiness(upstreams: Upstreams): () => Promise<void> {
  let last: { missing: Promise<string[]>; untilMs: number } | null = null;
  return async () => {
    if (last === null || performance.now() > last.untilMs)
      last = { missing: missingOf(upstreams), untilMs: performance.now() + READY_KEPT_MS };
    const missing = await last.missing;
    if (missing.length > 0) throw new CairnError('unavailable', `Not ready: ${missing.join(', ')}.`);
  };
}

async function missingOf(upstreams: Upstreams): Promise<string[]> {
  const states = await Promise.all(
    Object.entries(upstreams).map(async ([name, url]) => ({ name, ready: await isReady(url) })),
  );
  return states
    .filter(({ ready }) => !ready)
    .map(({ name }) => name)
    .sort();
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(READY_CHECK_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
