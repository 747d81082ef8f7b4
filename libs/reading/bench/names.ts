import type { ReadingModel } from '../src/learned/model.ts';
import { createReader } from '../src/reader.ts';
import { checkNames, type NameScores, splitTexts } from '../train/check-names.ts';
import type { NamedText } from '../train/name-sets.ts';
import { withNamesOf } from './held-out.ts';
import type { Scorers } from './scorers.ts';

/** Collections that the shipped model has learned from, which are therefore measured with models that have not. */
const LEARNED = ['wikigold', 'crossner', 'uner-ewt'] as const;
const UNSEEN = 'wnut17';

export interface NameFigures {
  set: string;
  /** Learned from four fifths of every collection, measured on the last; null for a set that is never learned from. */
  heldOut: NameScores | null;
  /** Learned from the other collections alone. */
  leftOut: NameScores;
}

/** Names, measured where nothing was learned; trees and lists are the shipped model's. */
export function measureNames(model: ReadingModel, { lib }: Scorers): NameFigures[] {
  const sets = new Map<string, NamedText[]>(LEARNED.map((set) => [set, lib.load(`ner-${set}.dev`) as NamedText[]]));
  const parts = new Map([...sets].map(([set, texts]) => [set, splitTexts(texts)]));
  const fold = createReader(
    withNamesOf(
      model,
      [...parts.values()].flatMap(({ train }) => train),
    ),
  );
  const figures = LEARNED.map((set): NameFigures => {
    const others = [...sets].filter(([name]) => name !== set).flatMap(([, texts]) => texts);
    const without = createReader(withNamesOf(model, others));
    const heldOut = checkNames(fold, parts.get(set)!.test);
    return { set, heldOut, leftOut: checkNames(without, sets.get(set)!) };
  });
  const unseen = lib.load(`ner-${UNSEEN}.dev`) as NamedText[];
  return [...figures, { set: `${UNSEEN} test`, heldOut: null, leftOut: checkNames(createReader(model), unseen) }];
}
