import type { ReadingModel } from '../../../../libs/reading/src/learned/model.ts';
import { createReader } from '../../../../libs/reading/src/reader.ts';
import { checkNames, type NameScores, splitTexts } from '../../train/reading/check-names.ts';
import type { NamedText } from '../../train/reading/named-text.ts';
import { withNamesOf } from './held-out.ts';
import type { Scorers } from './scorers.ts';

/** Collections that the shipped model has learned from, which are therefore measured with models that have not. */
const LEARNED = ['wikigold', 'crossner', 'uner-ewt'] as const;
/** The shipped model has learned from its train and dev sets; the data folder has half of its test set. */
const TEST_SET = 'wnut17';

export interface NameFigures {
  set: string;
  /** Learned from other texts of the same collections: from four fifths of each, or by the shipped model for a test set. */
  heldOut: NameScores;
  /** Learned from the other collections of the data folder alone. */
  leftOut: NameScores;
}

/** Names, measured on texts that nothing was learned from; trees and lists are the shipped model's. */
export function measureNames(model: ReadingModel, { lib }: Scorers): NameFigures[] {
  const sets = new Map<string, NamedText[]>(LEARNED.map((set) => [set, lib.load(`ner-${set}.dev`) as NamedText[]]));
  const parts = new Map([...sets].map(([set, texts]) => [set, splitTexts(texts)]));
  const learnedFrom = (texts: NamedText[]) => createReader(withNamesOf(model, texts));
  const others = (set: string) => [...sets].filter(([name]) => name !== set).flatMap(([, texts]) => texts);
  const fold = learnedFrom([...parts.values()].flatMap(({ train }) => train));
  const figures = LEARNED.map((set): NameFigures => {
    const heldOut = checkNames(fold, parts.get(set)!.test);
    return { set, heldOut, leftOut: checkNames(learnedFrom(others(set)), sets.get(set)!) };
  });
  const test = lib.load(`ner-${TEST_SET}.dev`) as NamedText[];
  const heldOut = checkNames(createReader(model), test);
  return [...figures, { set: `${TEST_SET} test`, heldOut, leftOut: checkNames(learnedFrom(others(TEST_SET)), test) }];
}
