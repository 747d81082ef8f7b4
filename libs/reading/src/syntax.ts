import type { ReadingModel } from './learned/model.ts';
import { groupSentences, tokenize } from './text/tokens.ts';
import type { ParsedSentence } from './tree/sentence.ts';
import { SentenceParser } from './tree/sentence-parser.ts';

/** The sentences of a text as trees. For a caller that asks how something is said, not what. */
export interface Syntax {
  parse(text: string): ParsedSentence[];
}

/** Keeps the forms it has met, as a reader does: one is made for a thread, not for a text. */
export function createSyntax(model: ReadingModel): Syntax {
  const parser = new SentenceParser(model);
  return { parse: (text) => groupSentences(text, tokenize(text)).map((tokens) => parser.parse(tokens)) };
}
