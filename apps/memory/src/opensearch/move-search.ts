import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { holdPlacement, lockPlacement, savePlacement, type SearchPlacement } from './search-placement.ts';

/** What an operator asks of one memory. */
type SearchMove = 'to_opensearch' | 'to_postgres' | 'rebuild';

/** Nothing was copied yet. Before every id. */
const FROM_THE_START = '';

/** Begins a move or a rebuild. It goes on in the background, and searches are answered meanwhile. */
export async function moveSearch(
  database: Database,
  memory: MemoryScope,
  move: SearchMove,
  keepsSegments: boolean,
): Promise<SearchPlacement> {
  await database.withTenant(memory.tenantId, (tx) => holdPlacement(tx, memory, { phase: 'serving', keepsSegments }));
  return database.withTenant(memory.tenantId, async (tx) => {
    const placement = (await lockPlacement(tx, memory))!;
    await assertNotMoving(tx, memory);
    // Segments that were not kept until now are not complete.
    const isComplete = placement.phase === 'segments' || placement.phase === 'filling' || placement.keepsSegments;
    const next = { ...nextPlacement(placement, move), keepsSegments: keepsSegments && isComplete };
    await savePlacement(tx, memory, next);
    return next;
  });
}

/** What moves to another engine takes its segments along. */
async function assertNotMoving(tx: Tx, { tenantId, memoryId }: MemoryScope): Promise<void> {
  const rows = await tx.query(
    "SELECT 1 FROM memory_moves WHERE tenant_id = $1 AND memory_id = $2 AND phase <> 'here'",
    [tenantId, memoryId],
  );
  if (rows.length > 0) throw new CairnError('conflict', 'The memory is moving to another engine.');
}

/** The state that the move begins with. Throws `conflict` for one that makes no sense now. */
function nextPlacement(now: SearchPlacement, move: SearchMove): SearchPlacement {
  const { phase, copiedTo } = now;
  if (move === 'to_opensearch' && phase === 'segments' && copiedTo === null)
    return { ...now, phase: 'filling', copiedTo: FROM_THE_START };
  if (move === 'to_postgres' && (phase === 'serving' || phase === 'filling'))
    // What is being filled has complete segments still.
    return { ...now, phase: phase === 'filling' ? 'segments' : 'leaving', copiedTo: FROM_THE_START };
  if (move === 'rebuild' && (phase === 'serving' || phase === 'filling')) return { ...now, copiedTo: FROM_THE_START };
  const state = copiedTo === null ? phase : `${phase}, and being copied`;
  throw new CairnError('conflict', `The index of the memory is ${state}.`);
}
