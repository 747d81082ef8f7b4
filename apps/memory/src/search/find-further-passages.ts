import type { IndexFilter } from '@cairn/search-index';
import { findChunks } from '../documents/chunk-store.ts';
import type { OpenMemory } from '../memories/engines.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { isVisible, visibilityOf } from '../memories/visibility.ts';
import type { FoundPassage } from './find-passages.ts';
import { lexicalShares } from './ranking/rerank.ts';

/** Passages that the second step of a question may bring. */
const FURTHER_MAX = 10;

/**
 * Passages for what the first ones leave open, best first, without those that are known. Their scores are of another
 * question than the first ones': they come below the lowest of them.
 */
export async function findFurtherPassages(
  { tx, index, closedVaults }: OpenMemory,
  target: TargetMemory,
  known: readonly FoundPassage[],
  asked: { text: string; filter: IndexFilter | undefined; explain: boolean; signal: AbortSignal },
): Promise<FoundPassage[]> {
  const hits = await index.search(tx, target, {
    text: asked.text,
    limit: FURTHER_MAX,
    explain: asked.explain,
    signal: asked.signal,
    ...(asked.filter === undefined ? {} : { filter: asked.filter }),
    // As for the first step: scores tell nothing of what lies beside a space.
    ...(target.spaceId === null ? {} : { within: { vaultIds: [target.vaultId] } }),
  });
  const seen = new Set(known.map(({ chunk }) => chunk.chunk_id));
  const news = hits.filter(({ chunkId }) => !seen.has(chunkId));
  const chunks = await findChunks(tx, target, news);
  const visible = visibilityOf(target, closedVaults);
  const lowest = known.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  return news.flatMap(({ chunkId, score: own, explanation }) => {
    const chunk = chunks.get(chunkId);
    if (chunk === undefined || !isVisible(visible, chunk.vault_id)) return [];
    const score = Math.min(own, lowest);
    const parts = asked.explain ? { index: explanation, words: score, signals: lexicalShares(score) } : undefined;
    return [{ chunk, score, parts }];
  });
}
