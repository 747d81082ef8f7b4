import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createPreparePool } from '../../../../../apps/memory/src/ingestion/preparing/prepare-pool.ts';
import { withoutNames } from './eval-files.ts';

export interface ArticleScores {
  pages: number;
  precision: number;
  recall: number;
  f1: number;
  msPerPage: number;
}

const SHINGLE = 4;

/**
 * The main content of pages against their articles: shingles of four tokens as multisets, precision and recall
 * averaged over the pages, as the article extraction benchmark of Scrapinghub defines it.
 */
export async function evaluateArticles(folder: string): Promise<ArticleScores> {
  const truth = JSON.parse(await readFile(join(folder, 'ground-truth.json'), 'utf8')) as Record<
    string,
    { articleBody: string }
  >;
  const pool = createPreparePool({ workers: 2, cpuMaxMs: 60_000, memoryMaxMb: 512 });
  const scores = { pages: 0, precision: 0, recall: 0, ms: 0 };
  try {
    for (const file of (await readdir(join(folder, 'html'))).sort()) {
      const article = truth[file.replace('.html.gz', '')];
      if (article === undefined) continue;
      const html = gunzipSync(await readFile(join(folder, 'html', file)));
      const startedMs = performance.now();
      const about = { fileName: '', mediaType: 'text/html', title: null, metadata: {}, url: null, withTerms: false };
      const [prepared] = await pool.prepare('tnt_eval', [{ ...about, policy: 'off', content: new Uint8Array(html) }]);
      scores.ms += performance.now() - startedMs;
      const text = prepared?.ok === true ? textOf(prepared.title, prepared.chunks) : '';
      const [precision, recall] = compare(shinglesOf(article.articleBody), shinglesOf(withoutNames(text)));
      scores.pages += 1;
      scores.precision += precision;
      scores.recall += recall;
    }
  } finally {
    await pool.close();
  }
  const [precision, recall] = [scores.precision / scores.pages, scores.recall / scores.pages];
  return {
    pages: scores.pages,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    msPerPage: scores.ms / scores.pages,
  };
}

/** The page's text in order, each heading once; the page's title is not part of the article. */
function textOf(title: string, chunks: readonly { titlePath: string; body: string }[]): string {
  const said = new Set([title]);
  return chunks
    .map(({ titlePath, body }) => {
      const fresh = titlePath.split(' › ').filter((heading) => heading !== '' && !said.has(heading));
      for (const heading of fresh) said.add(heading);
      return [...fresh, body].join('\n');
    })
    .join('\n');
}

function shinglesOf(text: string): Map<string, number> {
  const tokens = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const size = Math.min(SHINGLE, tokens.length);
  const shingles = new Map<string, number>();
  for (let start = 0; size > 0 && start + size <= tokens.length; start += 1) {
    const shingle = tokens.slice(start, start + size).join(' ');
    shingles.set(shingle, (shingles.get(shingle) ?? 0) + 1);
  }
  return shingles;
}

function compare(truth: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): [number, number] {
  let shared = 0;
  for (const [shingle, count] of found) shared += Math.min(count, truth.get(shingle) ?? 0);
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  return [sum(found) === 0 ? 0 : shared / sum(found), sum(truth) === 0 ? 0 : shared / sum(truth)];
}
