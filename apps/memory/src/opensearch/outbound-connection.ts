import { Readable } from 'node:stream';
import { type ApiResponse, Connection, errors } from '@opensearch-project/opensearch';
import { type Outbound, OutboundError } from '@cairn/outbound';

/** Of an answer: the statistics of 64 words, or some thousands of hits by id. */
const ANSWER_MAX_BYTES = 32 * 1_048_576;

type Callback = Parameters<Connection['request']>[1];

/** What the client calls to send a request; ours sends it through libs/outbound. */
export function outboundConnection(outbound: Outbound, longestMs: number): typeof Connection {
  return class OutboundConnection extends Connection {
    override request(params: Parameters<Connection['request']>[0], callback: Callback) {
      const aborting = new AbortController();
      const request = this.buildRequestObject(params) as { path: string; headers: Record<string, string | number> };
      const headers = Object.entries({ ...request.headers, ...this.headers }).map(([name, value]) => [
        name,
        String(value),
      ]);
      outbound
        .request(new URL(request.path, this.url.origin).href, {
          method: params.method,
          headers: Object.fromEntries(headers.filter(([name]) => name!.toLowerCase() !== 'content-length')),
          ...(params.body == null || params.body === '' ? {} : { body: params.body as string }),
          timeoutMs: typeof params.timeout === 'number' ? params.timeout : longestMs,
          bodyMaxBytes: ANSWER_MAX_BYTES,
          signal: aborting.signal,
        })
        .then(
          ({ status, headers: received, body }) =>
            callback(null, answered(status, received, body) as unknown as Parameters<Callback>[1]),
          (error: unknown) => callback(failureOf(error), null),
        );
      return { abort: () => aborting.abort() } as unknown as ReturnType<Connection['request']>;
    }
  };
}

/** The answer as the client reads one; what was packed is unpacked already. */
function answered(statusCode: number, headers: Record<string, string | string[]>, body: Buffer) {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers;
  return Object.assign(Readable.from([body]), { statusCode, headers: rest });
}

// The client puts the answer so far in its place.
const NO_ANSWER = null as unknown as ApiResponse;

function failureOf(error: unknown): Error {
  if (!(error instanceof OutboundError)) return error as Error;
  if (error.code === 'aborted') return new errors.RequestAbortedError(error.message);
  if (error.code.startsWith('timed_out')) return new errors.TimeoutError(error.message, NO_ANSWER);
  return new errors.ConnectionError(error.message, NO_ANSWER);
}
