import { analyseQuery } from '../index/analysis/analyse.ts';

/** Share of a sentence's words that its sources must have. */
const SUPPORTED_SHARE_MIN = 0.6;

/**
 * Whether sources carry a sentence: nearly all its words, and every number and name in it. A lexical check: it finds
 * what is made up, not what is twisted.
 */
export function supportedBy(sentence: string, sources: readonly string[]): boolean {
  const source = sources.join('\n');
  const stems = analyseQuery(sentence);
  if (stems.length === 0) return false;
  const known = new Set(analyseQuery(source));
  for (const stem of analyseQuery(source, 'en')) known.add(stem);
  const share = stems.filter((stem) => known.has(stem)).length / stems.length;
  return share >= SUPPORTED_SHARE_MIN && figuresOf(sentence).every((figure) => figuresOf(source).includes(figure));
}

function figuresOf(text: string): string[] {
  return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((figure) => figure.replace(/[.,:]+$/, ''));
}
