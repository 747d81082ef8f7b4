import type { RunContext } from '../ledger/run-context.ts';
import { WorkerFailure } from '@cairn/workers';
import type { RankedLink, RecordPage } from '../records/read-record-page.ts';
import type { RowQuery } from '../records/row-query.ts';
import type { ReadPage } from '../workers/tasks.ts';
import { storable } from '../text/storable.ts';
import type { TextWorkers } from '../workers/text-workers.ts';
import type { FetchResult } from './fetch-page.ts';
import type { RobotsFile } from '../reading/robots.ts';

export type { ReadPage } from '../workers/tasks.ts';

/** The rules of a site's robots.txt for one page. */
export interface PageRules {
  allowed: boolean;
  /** The crawl delay that the site asks for; 0 without one. */
  crawlDelaySeconds: number;
}

type Caller = Pick<RunContext, 'tenantId' | 'signal'>;

const ROBOTS_CPU_MAX_MS = 5_000;
const PAGE_CPU_MAX_MS = 6_000;

/** Returns null for a robots.txt that cannot be read in time; such a site is not crawled. */
export async function applyRobots(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  task: { file: RobotsFile; origin: string; url: string },
): Promise<PageRules | null> {
  if (task.file.rule !== 'file') return { allowed: task.file.rule === 'allow', crawlDelaySeconds: 0 };
  return orNull(text.run(tenantId, task, 'applyRobots', { cpuMaxMs: ROBOTS_CPU_MAX_MS, signal }));
}

/** The content of a fetched page; null when it cannot be read. */
export async function readPage(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  url: string,
  fetched: Extract<FetchResult, { kind: 'page' }>,
): Promise<ReadPage | null> {
  const limits = { cpuMaxMs: PAGE_CPU_MAX_MS, signal };
  const { noindex, nofollow, body } = fetched;
  if (!fetched.html) {
    const fingerprint = await orNull(text.run(tenantId, body, 'fingerprint', limits));
    if (fingerprint === null) return null;
    return {
      title: fileNameOf(url),
      text: storable(body),
      links: [],
      feeds: [],
      canonical: null,
      noindex,
      nofollow,
      jsonLd: [],
      fingerprint,
    };
  }
  const read = await orNull(text.run(tenantId, { html: body, url }, 'readPage', limits));
  if (read === null) return null;
  return { ...read, noindex: read.noindex || noindex, nofollow: read.nofollow || nofollow };
}

/** The content of a fetched page with the records on it; null when it cannot be read. */
export async function readRecordPage(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  { page, query }: { page: { url: string; template: string | null; depth: number }; query: RowQuery },
  { noindex, nofollow, body }: Extract<FetchResult, { kind: 'page' }>,
): Promise<RecordPage | null> {
  const task = { html: body, url: page.url, template: page.template ?? page.url, depth: page.depth, query };
  const read = await orNull(text.run(tenantId, task, 'readRecordPage', { cpuMaxMs: PAGE_CPU_MAX_MS, signal }));
  if (read === null) return null;
  return {
    ...read,
    ranked: nofollow ? [] : read.ranked,
    noindex: read.noindex || noindex,
    nofollow: read.nofollow || nofollow,
  };
}

/** The last part of an address, as it reads; as it is written when its escapes are no text. */
function fileNameOf(url: string): string {
  const written = new URL(url).pathname.split('/').at(-1) || url;
  try {
    return storable(decodeURIComponent(written));
  } catch {
    return written;
  }
}

/** The pages of a feed's entries; null when it cannot be read. */
export function readFeed(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  { page, query }: { page: { url: string; depth: number }; query: RowQuery | null },
  xml: string,
): Promise<RankedLink[] | null> {
  const task = { xml, url: page.url, depth: page.depth, query };
  return orNull(text.run(tenantId, task, 'readFeed', { cpuMaxMs: PAGE_CPU_MAX_MS, signal }));
}

function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof WorkerFailure) return null;
    throw error;
  });
}
