import { CairnError } from '@cairn/errors';
import type { ServiceName } from '@cairn/contracts';
import type { InternalTls } from '@cairn/service-kit';
import { Pool } from 'undici';
import type { Upstreams } from './admission/route-table.ts';
import { UPSTREAM_CONNECT_MS } from './forwarding/upstream-bounds.ts';
import { connectorTo } from './forwarding/upstream-connections.ts';

const READY_CHECK_TIMEOUT_MS = 2_000;
/** The check is public, so the services are not called more often than this. */
const READY_CACHE_MS = 500;

/** Throws `unavailable`, naming the services that are not ready. */
export function createReadiness(upstreams: Upstreams, tls: InternalTls | null): () => Promise<void> {
  const pools = Object.entries(upstreams).map(([name, url]) => {
    const connect = connectorTo(name as ServiceName, tls, UPSTREAM_CONNECT_MS);
    return { name, pool: new Pool(url, { connections: 1, connect }) };
  });
  let last: { missing: Promise<string[]>; untilMs: number } | null = null;
  return async () => {
    if (last === null || performance.now() > last.untilMs)
      last = { missing: missingOf(pools), untilMs: performance.now() + READY_CACHE_MS };
    const missing = await last.missing;
    if (missing.length > 0) throw new CairnError('unavailable', `Not ready: ${missing.join(', ')}.`);
  };
}

async function missingOf(pools: readonly { name: string; pool: Pool }[]): Promise<string[]> {
  const states = await Promise.all(pools.map(async ({ name, pool }) => ({ name, ready: await isReady(pool) })));
  return states
    .filter(({ ready }) => !ready)
    .map(({ name }) => name)
    .sort();
}

async function isReady(pool: Pool): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(READY_CHECK_TIMEOUT_MS);
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz', signal });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
