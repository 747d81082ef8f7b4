import { CairnError } from '@cairn/errors';
import type { Upstreams } from './admission/route-table.ts';

const READY_CHECK_TIMEOUT_MS = 2_000;
/** The check is public, so the services are not called more often than this. */
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
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(READY_CHECK_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
