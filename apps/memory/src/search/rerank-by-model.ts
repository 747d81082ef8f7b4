import { cutText } from '@cairn/language';
import type { EncodedEvent } from '@cairn/contracts';
import type { Attribution, Models } from '@cairn/llm';
import type { FoundPassage } from './find-passages.ts';
import { fallbackReason } from './fallback-reason.ts';

/** Passages a reranker is shown; those below keep their place. */
const SHOWN_MAX = 30;
const TEXT_MAX_CHARS = 2_000;

/** Orders the best passages by the configured reranker; without one, or when it fails, they stay as they are (`isNew` false). */
export async function rerankByModel(
  models: Models,
  question: string,
  passages: readonly FoundPassage[],
  call: { attribution: Attribution; signal: AbortSignal; record: (event: EncodedEvent) => void; callTimeoutMs: number },
): Promise<{ passages: FoundPassage[]; isNew: boolean; fallback: string | null }> {
  if (passages.length < 2) return { passages: [...passages], isNew: false, fallback: null };
  const shown = passages.slice(0, SHOWN_MAX);
  const texts = shown.map(({ chunk }) => cutText(`${chunk.title_path}\n${chunk.body}`, TEXT_MAX_CHARS));
  try {
    const model = await models.reranker(call.attribution);
    if (model === null) return { passages: [...passages], isNew: false, fallback: null };
    const ratings = await model.rerank(question, texts, { ...call, purpose: 'rerank' });
    const order = shown.map((passage, index) => ({ passage, index, rating: ratings[index]! }));
    order.sort((a, b) => b.rating - a.rating || a.index - b.index);
    // Scores stay those of the ranking, handed out in the new order, so that they fall with the places.
    const scores = shown.map(({ score }) => score);
    const ordered = order.map(({ passage }, place) => ({ ...passage, score: scores[place]! }));
    return { passages: [...ordered, ...passages.slice(SHOWN_MAX)], isNew: true, fallback: null };
  } catch (error) {
    const reason = fallbackReason(error);
    if (reason === null) throw error;
    return { passages: [...passages], isNew: false, fallback: `reranking_${reason}` };
  }
}
