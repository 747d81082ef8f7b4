import { INGEST_FILE_MAX_BYTES } from '@cairn/contracts';
import { type Outbound, type OutboundAnswer, OutboundError } from '@cairn/outbound';
import { AttemptFailure } from './worker-parts.ts';

export interface FetchedSource {
  bytes: Uint8Array;
  mediaType: string;
  fileName: string;
}

const FETCH_TIMEOUT_MS = 20_000;
const REDIRECTS_MAX = 5;
const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain,text/csv,application/json;q=.9,*/*;q=.5';

/** Fetches a document through the guarded way out. Throws `AttemptFailure`, final when another try is useless. */
export async function fetchSource(outbound: Outbound, url: string): Promise<FetchedSource> {
  const answer = await outbound
    .request(url, {
      headers: { accept: ACCEPT },
      timeoutMs: FETCH_TIMEOUT_MS,
      bodyMaxBytes: INGEST_FILE_MAX_BYTES,
      redirectsMax: REDIRECTS_MAX,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? failureOf(error) : error;
    });
  if (answer.status < 200 || answer.status > 299) throw failureOfStatus(answer.status);
  return {
    bytes: new Uint8Array(answer.body),
    mediaType: headerOf(answer, 'content-type'),
    fileName: nameIn(answer.url),
  };
}

function failureOf(error: OutboundError): AttemptFailure {
  if (error.retryable) return new AttemptFailure(`fetch:${error.code}`);
  const code = error.code === 'body_too_large' ? 'source_too_large' : 'source_refused';
  return new AttemptFailure(`fetch:${error.code}`, { final: { code, message: error.message } });
}

const WORTH_ANOTHER_TRY = new Set([408, 425, 429]);

function failureOfStatus(status: number): AttemptFailure {
  if (status >= 500 || WORTH_ANOTHER_TRY.has(status)) return new AttemptFailure(`fetch:status_${status}`);
  const message = `The address answers with status ${status}.`;
  return new AttemptFailure(`fetch:status_${status}`, { final: { code: 'source_unavailable', message } });
}

function headerOf(answer: OutboundAnswer, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** The last part of the path tells a table from a text when nothing else does. */
function nameIn(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return /\.[a-z0-9]{1,8}$/i.test(name) ? name : '';
}
