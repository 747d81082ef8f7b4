import { setTimeout as sleep } from 'node:timers/promises';
import { type Outbound, OutboundError, type OutboundErrorCode } from '@cairn/outbound';
import { robotsFileOf, type RobotsFile, ROBOTS_MAX_BYTES } from './robots.ts';

const PAGE_TIMEOUT_MS = 15_000;
const PAGE_MAX_BYTES = 5 * 1_048_576;
const ASK_AGAIN_PAUSES_MS = [200, 1_000];
/** What may be otherwise a moment later. For a page only what costs no time: a slow one stays slow. */
const PAGE_MAY_PASS: ReadonlySet<OutboundErrorCode> = new Set(['connection_lost']);
/** Without a word on its rules, or without its first page, a whole site stays unread. */
const START_MAY_PASS: ReadonlySet<OutboundErrorCode> = new Set([
  'connection_lost',
  'connection_failed',
  'timed_out_before_headers',
  'timed_out_after_headers',
]);
const ROBOTS_TIMEOUT_MS = 10_000;
/** RFC 9309, 2.3.1.2. */
const ROBOTS_REDIRECTS_MAX = 5;

/** What came of asking for a page. */
export type Fetched =
  | { kind: 'page'; html: boolean; body: string; noindex: boolean; nofollow: boolean }
  | { kind: 'redirect'; location: string }
  | { kind: 'skipped'; reason: string };

/** A page that all others are reached by is asked for again after more than others are. */
export async function fetchPage(
  outbound: Outbound,
  { url, isSeed }: { url: string; isSeed: boolean },
  signal: AbortSignal,
): Promise<Fetched> {
  const request = {
    timeoutMs: PAGE_TIMEOUT_MS,
    bodyMaxBytes: PAGE_MAX_BYTES,
    headers: { accept: 'text/html,application/xhtml+xml,text/plain;q=0.8,text/markdown;q=0.8' },
    signal,
  };
  let answer;
  try {
    answer = await askAgain(signal, isSeed ? START_MAY_PASS : PAGE_MAY_PASS, () => outbound.request(url, request));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return { kind: 'skipped', reason: error.code };
    throw error;
  }
  const { status, headers, body } = answer;
  const header = (name: string) => String(headers[name] ?? '');
  if (status >= 300 && status < 400 && header('location') !== '')
    return { kind: 'redirect', location: header('location') };
  if (status !== 200) return { kind: 'skipped', reason: `status_${status}` };
  const media = header('content-type').split(';', 1)[0]!.trim().toLowerCase();
  const html = media === 'text/html' || media === 'application/xhtml+xml' || media === '';
  if (!html && !media.startsWith('text/')) return { kind: 'skipped', reason: 'media_type' };
  const tag = header('x-robots-tag').toLowerCase();
  return {
    kind: 'page',
    html,
    body: decoded(body, header('content-type')),
    noindex: /\b(?:noindex|none)\b/.test(tag),
    nofollow: /\b(?:nofollow|none)\b/.test(tag),
  };
}

/** A failure that says little is no answer: a site must not be given up because it was away for a moment. */
async function askAgain<T>(
  signal: AbortSignal,
  passing: ReadonlySet<OutboundErrorCode>,
  ask: () => Promise<T>,
): Promise<T> {
  for (const pauseMs of ASK_AGAIN_PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OutboundError) || !passing.has(error.code) || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
  return ask();
}

export async function fetchRobots(outbound: Outbound, origin: string, signal: AbortSignal): Promise<RobotsFile> {
  try {
    const answer = await askAgain(signal, START_MAY_PASS, () =>
      outbound.request(`${origin}/robots.txt`, {
        timeoutMs: ROBOTS_TIMEOUT_MS,
        bodyMaxBytes: ROBOTS_MAX_BYTES,
        whenLonger: 'truncate',
        redirectsMax: ROBOTS_REDIRECTS_MAX,
        signal,
      }),
    );
    return robotsFileOf({ status: answer.status, body: answer.body.toString('utf8') });
  } catch (error) {
    signal.throwIfAborted();
    // More redirects than five are as good as no file (2.3.1.2).
    if (error instanceof OutboundError && error.code === 'redirects_exceeded') return { rule: 'allow' };
    if (error instanceof OutboundError) return robotsFileOf(null);
    throw error;
  }
}

/** By the charset of the header, else of the page's own first bytes, else UTF-8 (WHATWG Encoding). */
function decoded(body: Buffer, contentType: string): string {
  const said =
    /charset=["']?([\w-]+)/i.exec(contentType) ??
    /<meta\s[^<>]{0,200}?charset=["']?([\w-]+)/i.exec(body.subarray(0, 2_048).toString('latin1'));
  try {
    return new TextDecoder(said?.[1] ?? 'utf-8').decode(body);
  } catch {
    return body.toString('utf8');
  }
}
