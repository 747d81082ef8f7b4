import { createReader, loadShippedModel } from '@cairn/reading';

export interface AnnotatedSentence {
  text: string;
  entities: { start: number; end: number; type: string }[];
}

export interface SpanScores {
  precision: number;
  recall: number;
  f1: number;
}

/** Runs of capitalised words, as the baseline of the sets finds them. */
const CAPITALISED = /\p{Lu}[\p{L}\p{N}'’-]*(?:\s\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** Spans that are exactly those of the annotation, whatever their type. */
export function scoreNames(sentences: readonly AnnotatedSentence[]): SpanScores {
  const reader = createReader(loadShippedModel());
  return scoreSpans(sentences, (text) => reader.read(text).names.map(({ start, end }) => [start, end]));
}

export function scoreCapitalised(sentences: readonly AnnotatedSentence[]): SpanScores {
  return scoreSpans(sentences, (text) =>
    [...text.matchAll(CAPITALISED)].map((match) => [match.index, match.index + match[0].length]),
  );
}

function scoreSpans(sentences: readonly AnnotatedSentence[], find: (text: string) => number[][]): SpanScores {
  let [found, right, annotated] = [0, 0, 0];
  for (const { text, entities } of sentences) {
    const gold = new Set(entities.map((entity) => `${entity.start} ${entity.end}`));
    const spans = new Set(find(text).map(([start, end]) => `${start} ${end}`));
    found += spans.size;
    annotated += gold.size;
    for (const span of spans) if (gold.has(span)) right += 1;
  }
  return { precision: right / found, recall: right / annotated, f1: (2 * right) / (found + annotated) };
}
