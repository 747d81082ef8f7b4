/** A sentence and its place in the text, in UTF-16 units; `end` is exclusive. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

const segmenters = new Map<string, Intl.Segmenter>();
/** A full stop after these ends no sentence, which Unicode's rules (UAX 29) cannot know. */
const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|Fig|No|Nr|Inc|Ltd|Co|Corp|Jr|Sr|approx|bzw|z\.B|ca)\.\s*$/;
const INITIAL = /(?:^|[\s(])[A-Z]\.\s*$/;
/** Enough of the end of a text to tell whether it is an abbreviation. */
export const TAIL_CHARS = 24;

/** Whether a text ends in an abbreviation or an initial, so that its sentence goes on. */
export function endsInAbbreviation(text: string): boolean {
  const tail = text.slice(-TAIL_CHARS);
  return ABBREVIATION.test(tail) || INITIAL.test(tail);
}

/** Unicode's segmenter for sentences of a language, made once. */
export function sentenceSegmenter(language = 'en'): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}

/** Splits a text into sentences without the white space around them; empty ones are left out. */
export function splitSentences(text: string, language = 'en'): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let pending = '';
  const close = () => {
    const trimmed = pending.trim();
    const from = start + pending.indexOf(trimmed);
    if (trimmed !== '') sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
    start += pending.length;
    pending = '';
  };
  for (const { segment } of sentenceSegmenter(language).segment(text)) {
    pending += segment;
    if (!endsInAbbreviation(pending)) close();
  }
  close();
  return sentences;
}
