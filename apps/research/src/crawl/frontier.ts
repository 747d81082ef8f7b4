import type { Tx } from '@cairn/postgres';
import { shapeOf } from '../reading/page-url.ts';

export interface FrontierPage {
  url: string;
  host: string;
  depth: number;
  hops: number;
  stale: number;
  shape: string;
  parent: number[] | null;
  parent_shape: string | null;
  template: string | null;
  parent_template: string | null;
  /** What the page promises to a crawl for records. */
  worth?: number;
}

type NewPage = Pick<FrontierPage, 'url' | 'depth'> &
  Partial<Pick<FrontierPage, 'hops' | 'stale' | 'parent' | 'parent_shape' | 'template' | 'parent_template'>> & {
    rank?: number;
  };

/** Adds pages to the frontier, each once per run, however often it is linked; the most promising link counts. */
export async function addPages(
  tx: Tx,
  run: { tenantId: string; runId: string },
  pages: readonly NewPage[],
): Promise<void> {
  for (const page of pages) {
    await tx.execute(
      `INSERT INTO frontier (tenant_id, run_id, url, host, depth, hops, stale, shape, parent, parent_shape, rank, template,
                             parent_template)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (run_id, url) DO UPDATE
         SET rank = EXCLUDED.rank, template = EXCLUDED.template, parent_template = EXCLUDED.parent_template
         WHERE frontier.rank < EXCLUDED.rank AND NOT frontier.done`,
      [
        run.tenantId,
        run.runId,
        page.url,
        new URL(page.url).host,
        page.depth,
        page.hops ?? 0,
        page.stale ?? 0,
        shapeOf(page.url),
        page.parent ?? null,
        page.parent_shape ?? null,
        page.rank ?? 0,
        page.template ?? null,
        page.parent_template ?? null,
      ],
    );
  }
}

export async function markPageDone(tx: Tx, runId: string, url: string): Promise<void> {
  await tx.execute('UPDATE frontier SET done = true WHERE run_id = $1 AND url = $2', [runId, url]);
}

/** The hosts with pages still to be requested. */
export async function pendingHosts(tx: Tx, runId: string): Promise<string[]> {
  const rows = await tx.query<{ host: string }>('SELECT DISTINCT host FROM frontier WHERE run_id = $1 AND NOT done', [
    runId,
  ]);
  return rows.map(({ host }) => host);
}

/** The next page of a host: lowest depth first, then URL shapes that were requested least. */
export async function nextPage(tx: Tx, runId: string, host: string): Promise<FrontierPage | null> {
  const rows = await tx.query<FrontierPage>(
    `SELECT url, host, depth, hops, stale, shape, parent, parent_shape, template, parent_template
       FROM frontier
      WHERE run_id = $1 AND host = $2 AND NOT done ORDER BY stale, depth, position LIMIT 1`,
    [runId, host],
  );
  return rows[0] ?? null;
}
