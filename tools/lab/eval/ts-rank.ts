import { type Database, sqlBuilder } from '@cairn/postgres';
import type { RetrievalSet } from './retrieval-set.ts';
import type { RunResult } from './through-http.ts';

const DEPTH = 100;
const INSERT_ROWS = 500;

/**
 * PostgreSQL's own full-text search on the same documents: GIN, `ts_rank`, the question's words joined by OR
 * (with AND, questions find almost nothing).
 */
export async function runTsRank(database: Database, set: RetrievalSet): Promise<RunResult> {
  const startedMs = performance.now();
  await database.transaction(async (tx) => {
    await tx.query('CREATE TEMP TABLE baseline (id text, scope text, words tsvector) ON COMMIT PRESERVE ROWS');
  });
  const rankings = new Map<string, string[]>();
  const latenciesMs: number[] = [];
  let ingestMs = 0;
  await database.transaction(async (tx) => {
    for (let start = 0; start < set.documents.length; start += INSERT_ROWS) {
      const rows = set.documents.slice(start, start + INSERT_ROWS);
      await tx.query(
        `INSERT INTO baseline SELECT id, scope, to_tsvector('english', content) FROM unnest($1::text[], $2::text[], $3::text[]) AS rows (id, scope, content)`,
        [
          rows.map((row) => row.id),
          rows.map((row) => row.scope ?? ''),
          rows.map((row) => `${row.title ?? ''} ${row.text}`),
        ],
      );
    }
    await tx.query('CREATE INDEX ON baseline USING gin (words)');
    await tx.query('ANALYZE baseline');
    ingestMs = performance.now() - startedMs;
    for (const question of set.questions) {
      const askedMs = performance.now();
      const rows = await tx.query<{ id: string }>({
        name: 'baseline_search',
        text: `WITH asked AS (
                 SELECT to_tsquery('simple', string_agg(quote_literal(lexeme), ' | ')) AS query
                   FROM unnest(to_tsvector('english', $1)) AS words (lexeme, positions, weights))
               SELECT id FROM baseline, asked
                WHERE words @@ asked.query AND scope = $2 ORDER BY ts_rank(words, asked.query) DESC, id LIMIT $3`,
        values: [question.text, question.scope ?? '', DEPTH],
      });
      latenciesMs.push(performance.now() - askedMs);
      rankings.set(
        question.id,
        rows.map((row) => row.id),
      );
    }
    await tx.run(sqlBuilder.raw('DROP TABLE baseline') as never);
  });
  return { rankings, shares: new Map(), latenciesMs, ingestMs, memories: new Map(), documentIds: new Map() };
}
