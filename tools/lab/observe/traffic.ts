import { setTimeout as sleep } from 'node:timers/promises';

/** A little of everything that the dashboard shows, for as long as the signal allows. */
export async function makeTraffic(
  installation: { baseUrl: string; apiKey: string },
  hookUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${installation.baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': installation.apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json().catch(() => ({}))) as Record<string, unknown>;
  };
  await call('POST', '/api/v1/webhooks', { url: hookUrl, events: ['memory.ingest.completed'] });
  for (let n = 0; !signal.aborted; n += 1) {
    await call('POST', '/api/v1/memory/documents', { content: `Note ${n}: berth ${n % 7} of the harbour is free.` });
    await call('POST', '/api/v1/memory/search', { query: `Which berth is free, says note ${n}?` });
    await call('GET', '/api/v1/memory/documents?limit=5');
    await call('GET', '/api/v1/nothing');
    const { key_id } = await call('POST', '/api/v1/api-keys', { name: `short-lived ${n}` });
    await call('DELETE', `/api/v1/api-keys/${String(key_id)}`);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

const PAUSE_MS = 250;
