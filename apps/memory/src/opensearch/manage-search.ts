import type { Database } from '@cairn/postgres';
import type { SearchAction, SearchState } from '../memories/managed-search.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { checkDrift, type Drift } from './check-drift.ts';
import { moveSearch } from './move-search.ts';
import { countChanges } from './search-changes.ts';
import type { SearchCluster } from './search-cluster.ts';
import { readPlacement } from './search-placement.ts';

const WAITING_COUNTED_MAX = 100_000;

interface ManageDeps {
  database: Database;
  cluster: SearchCluster;
  keepsSegments: boolean;
  /** There may be something to carry on. */
  wake: () => void;
}

/** Does what an operator asks, and returns how the memory stands then. */
export async function manageSearch(deps: ManageDeps, memory: MemoryScope, action: SearchAction): Promise<SearchState> {
  let drift: Drift | null = null;
  if (action === 'check' || action === 'repair') drift = await checkDrift(deps, memory, action === 'repair');
  else if (action !== 'state') await moveSearch(deps.database, memory, action, deps.keepsSegments);
  deps.wake();
  return deps.database.withTenant(memory.tenantId, async (tx) => {
    const placement = await readPlacement(tx, memory);
    return {
      phase: placement?.phase ?? 'segments',
      copying: placement !== null && placement.copiedTo !== null,
      waiting: await countChanges(tx, memory, WAITING_COUNTED_MAX),
      drift,
    };
  });
}
