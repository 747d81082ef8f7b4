import { DenseModel } from '../../../../libs/reading/src/learned/linear-model.ts';
import type { ReadingModel } from '../../../../libs/reading/src/learned/model.ts';
import { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';
import type { NamedText } from '../../train/reading/named-text.ts';
import { quantisedNames, trainNames } from '../../train/reading/train-names.ts';

/** The shipped model with names learned from nothing but `texts`, and their types from `typed` as well. */
export function withNamesOf(
  model: ReadingModel,
  texts: readonly NamedText[],
  typed: readonly NamedText[] = [],
): ReadingModel {
  const learned = quantisedNames(trainNames(texts, typed, new SentenceParser(model), model.lexicon));
  return { ...model, detector: new DenseModel(learned.detector), typer: new DenseModel(learned.typer) };
}
