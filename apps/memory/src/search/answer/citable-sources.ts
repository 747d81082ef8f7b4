import { cutText } from '@cairn/language';
import type { CitedPassage, ComposedAnswer, Passage } from './passage.ts';

const SOURCES_MAX = 8;
const SNIPPET_MAX_CHARS = 300;

/** The passages that an answer may cite: those of the extractive answer, then the best of those given to a model. */
export function citableSources(extracted: ComposedAnswer, given: readonly Passage[]): CitedPassage[] {
  const known = new Set(extracted.cited.map(({ passage }) => passage.chunkId));
  const others = given.filter((passage) => !known.has(passage.chunkId));
  const places = Math.max(0, SOURCES_MAX - extracted.cited.length);
  const further = others.slice(0, places).map((passage) => ({
    passage,
    snippet: cutText(passage.body, SNIPPET_MAX_CHARS),
    span: null,
  }));
  return [...extracted.cited, ...further];
}
