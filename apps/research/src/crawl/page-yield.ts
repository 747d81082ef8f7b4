import type { Tx } from '@cairn/postgres';
import { IS_SHAPE_ACTIVE } from './page-shapes.ts';
import type { FrontierPage } from './frontier.ts';
import { gainOf, type TemplateYield, LINK_RANK_MIN } from '../records/link-rank.ts';

/** The next page of a host by what its link promises and what pages of its template brought; null when none is worth it. */
export async function nextPageByYield(tx: Tx, runId: string, host: string): Promise<FrontierPage | null> {
  const rows = await tx.query<FrontierPage>(
    `SELECT url, host, depth, hops, stale, shape, parent, parent_shape, template, parent_template,
            (rank + coalesce(gain, $3))::float8 AS worth
       FROM frontier LEFT JOIN crawl_templates USING (run_id, template)
      WHERE run_id = $1 AND host = $2 AND NOT done AND rank + coalesce(gain, $3) > $4 AND ${IS_SHAPE_ACTIVE}
      ORDER BY rank + coalesce(gain, $3) DESC, depth, position LIMIT 1`,
    [runId, host, gainOf(undefined), LINK_RANK_MIN],
  );
  return rows[0] ?? null;
}

/** Records what a page brought, for its template and for that of the page that linked it. */
export async function learnYield(
  tx: Tx,
  run: { tenantId: string; runId: string },
  page: Pick<FrontierPage, 'template' | 'parent_template'>,
  brought: { useful: number; matched: number; others: number },
): Promise<{ matched: number; others: number }> {
  const { template, parent_template: parent } = page;
  if (template === null) return { matched: 0, others: 0 };
  const learned = await learn(tx, run, template, { ...brought, own: true });
  if (parent !== null && parent !== template) await learn(tx, run, parent, { ...brought, own: false });
  return learned;
}

async function learn(
  tx: Tx,
  run: { tenantId: string; runId: string },
  template: string,
  { useful, matched, others, own }: { useful: number; matched: number; others: number; own: boolean },
): Promise<{ matched: number; others: number }> {
  const [known] = await tx.query<TemplateYield & { matched: number; others: number }>(
    `INSERT INTO crawl_templates (tenant_id, run_id, template, visits, useful, child_visits, child_useful, matched, others, gain)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
     ON CONFLICT (run_id, template) DO UPDATE SET
       visits = crawl_templates.visits + EXCLUDED.visits, useful = crawl_templates.useful + EXCLUDED.useful,
       child_visits = crawl_templates.child_visits + EXCLUDED.child_visits,
       child_useful = crawl_templates.child_useful + EXCLUDED.child_useful,
       matched = crawl_templates.matched + EXCLUDED.matched, others = crawl_templates.others + EXCLUDED.others
     RETURNING visits, useful::float8, child_visits, child_useful::float8, matched, others`,
    own
      ? [run.tenantId, run.runId, template, 1, useful, 0, 0, matched, others]
      : [run.tenantId, run.runId, template, 0, 0, 1, useful, 0, 0],
  );
  await tx.execute('UPDATE crawl_templates SET gain = $3 WHERE run_id = $1 AND template = $2', [
    run.runId,
    template,
    gainOf(known),
  ]);
  return known!;
}
