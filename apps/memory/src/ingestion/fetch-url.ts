import { INGEST_FILE_MAX_BYTES } from '@cairn/contracts';
import { type Outbound, type OutboundResponse, OutboundError } from '@cairn/outbound';
import { AttemptFailure } from './attempt-failure.ts';

interface FetchedUrl {
  bytes: Uint8Array;
  mediaType: string;
  fileName: string;
}

const FETCH_TIMEOUT_MS = 20_000;
const REDIRECTS_MAX = 5;
const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain,text/csv,application/json;q=.9,*/*;q=.5';

/** Fetches a document through the guarded way out. Throws `AttemptFailure`, final when another try is useless. */
export async function fetchUrl(outbound: Outbound, url: string): Promise<FetchedUrl> {
  const response = await outbound
    .request(url, {
      headers: { accept: ACCEPT },
      timeoutMs: FETCH_TIMEOUT_MS,
      bodyMaxBytes: INGEST_FILE_MAX_BYTES,
      redirectsMax: REDIRECTS_MAX,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? failureOf(error) : error;
    });
  if (response.status < 200 || response.status > 299) throw failureOfStatus(response.status);
  return {
    bytes: new Uint8Array(response.body),
    mediaType: headerOf(response, 'content-type'),
    fileName: nameIn(response.url),
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

function headerOf(response: OutboundResponse, name: string): string {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** The last part of the path distinguishes a table from a text when nothing else does. */
function nameIn(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return /\.[a-z0-9]{1,8}$/i.test(name) ? name : '';
}
