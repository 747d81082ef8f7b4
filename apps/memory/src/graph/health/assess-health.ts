import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Database } from '@cairn/postgres';
import { whileOpen } from '../../memories/closed-scopes.ts';
import { measureHealth } from './measure-health.ts';
import { recordHealth } from './record-health.ts';
import { scoreHealth } from './score-health.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

/** Assesses a memory and says so in an event, in one transaction; false, without doing it, for one that was closed. */
export async function assessHealth(database: Database, memory: AttributedMemory): Promise<boolean> {
  const assessed = await whileOpen(database, memory, async (tx, closed) => {
    // Not locked: linking would wait for all that is counted. What comes meanwhile has a later revision.
    const [row] = await tx.query<{ revision: number }>(
      'SELECT revision FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2',
      [memory.tenantId, memory.memoryId],
    );
    if (row === undefined) return true;
    const figures = await measureHealth(tx, memory, { vaults: null, hidden: [...closed] });
    const { score, parts } = scoreHealth(figures);
    await recordHealth(tx, memory, figures, { score, parts });
    await tx.execute(
      `UPDATE graph_memories SET health_score = $3, assessed_at = now(), assessed_revision = $4 WHERE tenant_id = $1 AND memory_id = $2`,
      [memory.tenantId, memory.memoryId, score, row.revision],
    );
    const scores = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.score]));
    await appendToOutbox(tx, encodeEvent('healthAssessed', memory, { score, parts: scores }));
    return true;
  });
  return assessed !== null;
}
