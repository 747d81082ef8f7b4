/** A sentence and where it lies in its text, in UTF-16 units. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

const segmenters = new Map<string, Intl.Segmenter>();
/** After these a full stop ends no sentence (Unicode's rules cannot know). */
const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|Fig|No|Nr|Inc|Ltd|Jr|Sr|approx|bzw|z\.B|ca)\.\s*$/;

/**
 * Splits a text into sentences without their surrounding white space; empty ones are left out. Unlike the text library
 * it ends a sentence after an initial, “Co.” and “Corp.”: other sentences would change which measured values the graph
 * reads, whose quality would have to be measured first.
 */
export function splitSentences(text: string, language = 'en'): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let pending = '';
  for (const { segment } of segmenterFor(language).segment(text)) {
    pending += segment;
    if (ABBREVIATION.test(pending)) continue;
    pushTrimmed(sentences, pending, start);
    start += pending.length;
    pending = '';
  }
  pushTrimmed(sentences, pending, start);
  return sentences;
}

function pushTrimmed(sentences: Sentence[], text: string, start: number): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  const from = start + text.indexOf(trimmed);
  sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
}

function segmenterFor(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}
