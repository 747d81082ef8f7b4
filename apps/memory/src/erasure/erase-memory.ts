import { eraseFromOutbox, eraseStoredAnswers, type Tx } from '@cairn/postgres';
import type { SearchIndex } from '../index/search-index.ts';
import { type ErasableScope, markErased } from './closed-scopes.ts';
import type { EraseProgress } from './erase-scope.ts';
import { eraseRowsOfMemory } from './erased-tables.ts';

/** One bounded step of erasing a closed memory. */
export async function eraseMemoryStep(tx: Tx, index: SearchIndex, scope: ErasableScope): Promise<EraseProgress> {
  if (await eraseRowsOfMemory(tx, scope)) return 'erasing';
  if (!(await index.drop(tx, scope))) return 'erasing';
  await eraseStoredAnswers(tx, scope);
  await eraseFromOutbox(tx, scope);
  await markErased(tx, scope);
  return 'finished';
}
