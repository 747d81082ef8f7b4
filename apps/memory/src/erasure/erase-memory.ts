import { eraseFromOutbox, eraseStoredResponses, type Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import { markErased } from '../memories/closed-scopes.ts';
import { eraseRowsOfMemory, type EraseProgress } from './erased-tables.ts';
import type { ErasableScope } from '../memories/memory-scope.ts';

/** One bounded step of erasing a closed memory. */
export async function eraseMemoryStep(tx: Tx, index: SearchIndex, scope: ErasableScope): Promise<EraseProgress> {
  if (await eraseRowsOfMemory(tx, scope)) return 'erasing';
  if (!(await index.drop(tx, scope))) return 'erasing';
  await eraseStoredResponses(tx, scope);
  await eraseFromOutbox(tx, scope);
  await markErased(tx, scope);
  return 'finished';
}
