import { setTimeout as sleep } from 'node:timers/promises';
import { type Outbound, OutboundError, type OutboundErrorCode } from '@cairn/outbound';
import { isFeed, isFeedType } from '../reading/feed-type.ts';
import { robotsFileOf, type RobotsFile, ROBOTS_MAX_BYTES } from '../reading/robots.ts';

const PAGE_TIMEOUT_MS = 15_000;
const PAGE_MAX_BYTES = 5 * 1_048_576;
const RETRY_PAUSES_MS = [200, 1_000];
/** Errors that may be transient. For an ordinary page only those that fail fast: a slow page stays slow. */
const TRANSIENT_FOR_PAGE: ReadonlySet<OutboundErrorCode> = new Set(['connection_lost']);
/** More is retried for robots.txt and first pages, because without them a whole site is lost. */
const TRANSIENT_FOR_FIRST_PAGE: ReadonlySet<OutboundErrorCode> = new Set([
  'connection_lost',
  'connection_failed',
  'timed_out_before_headers',
  'timed_out_after_headers',
]);
const ROBOTS_TIMEOUT_MS = 10_000;
/** RFC 9309, 2.3.1.2. */
const ROBOTS_REDIRECTS_MAX = 5;

/** The outcome of requesting a page. */
export type FetchResult =
  | { kind: 'page'; html: boolean; body: string; noindex: boolean; nofollow: boolean }
  | { kind: 'feed'; body: string }
  | { kind: 'redirect'; location: string }
  | { kind: 'skipped'; reason: string };

/** Requests a page. Seed pages are retried after more kinds of errors than others. */
export async function fetchPage(
  outbound: Outbound,
  { url, isSeed }: { url: string; isSeed: boolean },
  signal: AbortSignal,
): Promise<FetchResult> {
  const request = {
    timeoutMs: PAGE_TIMEOUT_MS,
    bodyMaxBytes: PAGE_MAX_BYTES,
    headers: {
      accept:
        'text/html,application/xhtml+xml,application/rss+xml;q=0.8,application/atom+xml;q=0.8,text/plain;q=0.8,text/markdown;q=0.8',
    },
    signal,
  };
  let response;
  try {
    response = await retryTransient(signal, isSeed ? TRANSIENT_FOR_FIRST_PAGE : TRANSIENT_FOR_PAGE, () =>
      outbound.request(url, request),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return { kind: 'skipped', reason: error.code };
    throw error;
  }
  const { status, headers, body } = response;
  const header = (name: string) => String(headers[name] ?? '');
  if (status >= 300 && status < 400 && header('location') !== '')
    return { kind: 'redirect', location: header('location') };
  if (status !== 200) return { kind: 'skipped', reason: `status_${status}` };
  const media = header('content-type').split(';', 1)[0]!.trim().toLowerCase();
  const html = media === 'text/html' || media === 'application/xhtml+xml' || media === '';
  const text = decoded(body, header('content-type'));
  if (isFeedType(media) || (/^(?:application|text)\/xml$/.test(media) && isFeed(text)))
    return { kind: 'feed', body: text };
  if (!html && !media.startsWith('text/')) return { kind: 'skipped', reason: 'media_type' };
  const tag = header('x-robots-tag').toLowerCase();
  return {
    kind: 'page',
    html,
    body: text,
    noindex: /\b(?:noindex|none)\b/.test(tag),
    nofollow: /\b(?:nofollow|none)\b/.test(tag),
  };
}

/** Retries transient failures, so that a site is not given up because it was unavailable for a moment. */
async function retryTransient<T>(
  signal: AbortSignal,
  transient: ReadonlySet<OutboundErrorCode>,
  request: () => Promise<T>,
): Promise<T> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof OutboundError) || !transient.has(error.code) || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
  return request();
}

export async function fetchRobots(outbound: Outbound, origin: string, signal: AbortSignal): Promise<RobotsFile> {
  try {
    const response = await retryTransient(signal, TRANSIENT_FOR_FIRST_PAGE, () =>
      outbound.request(`${origin}/robots.txt`, {
        timeoutMs: ROBOTS_TIMEOUT_MS,
        bodyMaxBytes: ROBOTS_MAX_BYTES,
        whenLonger: 'truncate',
        redirectsMax: ROBOTS_REDIRECTS_MAX,
        signal,
      }),
    );
    return robotsFileOf({ status: response.status, body: response.body.toString('utf8') });
  } catch (error) {
    signal.throwIfAborted();
    // More than five redirects count as no file (2.3.1.2).
    if (error instanceof OutboundError && error.code === 'redirects_exceeded') return { rule: 'allow' };
    if (error instanceof OutboundError) return robotsFileOf(null);
    throw error;
  }
}

/** Decodes by the header's charset, else by that of the page's first bytes, else as UTF-8 (WHATWG Encoding). */
function decoded(body: Buffer, contentType: string): string {
  const charset =
    /charset=["']?([\w-]+)/i.exec(contentType) ??
    /<meta\s[^<>]{0,200}?charset=["']?([\w-]+)/i.exec(body.subarray(0, 2_048).toString('latin1'));
  try {
    return new TextDecoder(charset?.[1] ?? 'utf-8').decode(body);
  } catch {
    return body.toString('utf8');
  }
}
