import { setTimeout as sleep } from 'node:timers/promises';
import { CairnError } from '@cairn/errors';
import { lockClosed } from '../memories/closed-scopes.ts';
import { eraseMemoryStep } from './erase-memory.ts';
import { eraseVaultStep } from './erase-vault.ts';
import type { ErasableScope } from '../memories/memory-scope.ts';
import type { EngineDeps } from '../memories/engines.ts';
import type { EraseProgress } from './erased-tables.ts';

const MERGE_WAIT_MS = 50;

/**
 * Erases a closed scope for about `budgetMs` and says whether nothing of it is left. Every step commits, so that
 * the next call, on any replica, goes on where this one ended. `conflict` when the scope was not closed before.
 */
export async function eraseScope(engine: EngineDeps, scope: ErasableScope, budgetMs: number): Promise<boolean> {
  const until = performance.now() + budgetMs;
  do {
    const progress = await eraseStep(engine, scope);
    if (progress === 'finished') return true;
    if (progress === 'waiting') await sleep(MERGE_WAIT_MS);
  } while (performance.now() < until);
  return false;
}

/** One bounded step in one transaction. Calls that come at once take turns. */
async function eraseStep({ database, index }: EngineDeps, scope: ErasableScope): Promise<EraseProgress> {
  return database.withTenant(scope.tenantId, async (tx) => {
    const closed = await lockClosed(tx, scope);
    if (closed === null) throw new CairnError('conflict', 'Only what was closed can be erased.');
    if (closed.erased) return 'finished';
    if (scope.vaultId === null) return eraseMemoryStep(tx, index, scope);
    return eraseVaultStep(tx, index, { ...scope, vaultId: scope.vaultId }, closed.expungeAt);
  });
}
