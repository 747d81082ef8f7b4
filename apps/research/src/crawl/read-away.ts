import type { RunContext } from '@cairn/ledger';
import { WorkerFailure } from '@cairn/workers';
import type { ReadPage } from '../text-work/tasks.ts';
import type { TextWorkers } from '../text-work/text-workers.ts';
import type { Fetched } from './fetch-page.ts';
import type { RobotsFile } from './robots.ts';

export type { ReadPage } from '../text-work/tasks.ts';

/** What a site's robots.txt says about one page. */
export interface PageRules {
  allowed: boolean;
  /** Seconds between requests that the site asks for; 0 when it says nothing. */
  crawlDelaySeconds: number;
}

type Caller = Pick<RunContext, 'tenantId' | 'signal'>;

const ROBOTS_CPU_MAX_MS = 5_000;
const PAGE_CPU_MAX_MS = 6_000;

/** Null for a robots.txt that cannot be read in time: the site makes it so, and is not read then. */
export async function applyRobots(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  task: { file: RobotsFile; origin: string; url: string },
): Promise<PageRules | null> {
  if (task.file.rule !== 'file') return { allowed: task.file.rule === 'allow', crawlDelaySeconds: 0 };
  return orNull(text.run(tenantId, task, 'applyRobots', { cpuMaxMs: ROBOTS_CPU_MAX_MS, signal }));
}

/** A fetched page's content; null when it cannot be read. */
export async function readPage(
  text: TextWorkers,
  { tenantId, signal }: Caller,
  url: string,
  fetched: Extract<Fetched, { kind: 'page' }>,
): Promise<ReadPage | null> {
  const limits = { cpuMaxMs: PAGE_CPU_MAX_MS, signal };
  const { noindex, nofollow, body } = fetched;
  if (!fetched.html) {
    const fingerprint = await orNull(text.run(tenantId, body, 'fingerprint', limits));
    if (fingerprint === null) return null;
    const title = decodeURIComponent(new URL(url).pathname.split('/').at(-1) || url);
    return { title, text: body, links: [], canonical: null, noindex, nofollow, jsonLd: [], fingerprint };
  }
  const read = await orNull(text.run(tenantId, { html: body, url }, 'readPage', limits));
  if (read === null) return null;
  return { ...read, noindex: read.noindex || noindex, nofollow: read.nofollow || nofollow };
}

function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof WorkerFailure) return null;
    throw error;
  });
}
