import type { getEntityLinks, ResponseOf } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { findChunks } from '../../documents/chunk-store.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { Visibility } from '../../memories/visibility.ts';
import { namesOfEntities } from '../store/name-store.ts';
import type { LinkedPassage, NamePair } from '../store/pair-links.ts';
import { statementsOf } from './link-statements.ts';

/** Two entities as their links are looked up. */
export async function pairOf(
  tx: Tx,
  scope: MemoryScope,
  ids: readonly [string, string],
  visible: Visibility,
): Promise<NamePair> {
  const names = await namesOfEntities(tx, scope, ids);
  const numbersOf = (id: string) => names.filter((name) => name.entity_id === id).map((name) => name.name_no);
  return {
    sources: numbersOf(ids[0]),
    targets: numbersOf(ids[1]),
    entityOf: new Map(names.map((name) => [name.name_no, name.entity_id])),
    visible,
  };
}

/** The passages with the sentences that state the links of the pair. */
export async function presentPassages(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly LinkedPassage[],
  pair: NamePair,
): Promise<ResponseOf<typeof getEntityLinks>['passages']> {
  const chunks = await findChunks(
    tx,
    scope,
    rows.map((row) => ({ chunkId: row.chunk_id, docId: row.doc_id })),
  );
  return rows.flatMap((row) => {
    const chunk = chunks.get(row.chunk_id);
    if (chunk === undefined) return [];
    const { doc_id, chunk_id } = row;
    return [{ doc_id, title: chunk.title, chunk_id, statements: statementsOf(row, chunk.body, pair) }];
  });
}
