import type { Outbound } from '@cairn/outbound';

const REQUEST_TIMEOUT_MS = 120_000;
const ANSWER_MAX_BYTES = 8 * 1_048_576;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` for addresses that a tenant named: every request goes through the guard. The answer is taken whole, so that a
 * stream comes in one piece.
 */
export function guardedFetch(outbound: Pick<Outbound, 'request'>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.method === 'GET' ? undefined : await request.text();
    const answer = await outbound.request(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(body === undefined ? {} : { body }),
      timeoutMs: REQUEST_TIMEOUT_MS,
      bodyMaxBytes: ANSWER_MAX_BYTES,
      signal: request.signal,
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      name === 'content-encoding' || name === 'content-length' ? [] : [[name, String(value)] as [string, string]],
    );
    const bytes = WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(bytes, { status: answer.status, headers });
  };
}
