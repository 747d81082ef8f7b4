import type { Comparison } from './query.ts';
import type { QuestionAnalysis } from './question-analysis.ts';

interface Comparator {
  end: number;
  comparison: Comparison;
  /** An adjective that says what is compared: `longer than`. */
  adjective: string | null;
}

const PHRASES: readonly (readonly [words: string, comparison: Comparison])[] = [
  ['no more than', '<='],
  ['not more than', '<='],
  ['no less than', '>='],
  ['no fewer than', '>='],
  ['not less than', '>='],
  ['at least', '>='],
  ['at most', '<='],
  ['up to', '<='],
  ['greater than or equal to', '>='],
  ['less than or equal to', '<='],
  ['minimum of', '>='],
  ['maximum of', '<='],
  ['more than', '>'],
  ['greater than', '>'],
  ['higher than', '>'],
  ['larger than', '>'],
  ['bigger than', '>'],
  ['less than', '<'],
  ['fewer than', '<'],
  ['lower than', '<'],
  ['smaller than', '<'],
  ['over', '>'],
  ['above', '>'],
  ['exceeding', '>'],
  ['exceed', '>'],
  ['exceeds', '>'],
  ['exceeded', '>'],
  ['below', '<'],
  ['under', '<'],
  ['beneath', '<'],
  ['>=', '>='],
  ['≥', '>='],
  ['<=', '<='],
  ['≤', '<='],
  ['>', '>'],
  ['<', '<'],
  ['exactly', '='],
];

const ADJECTIVES: ReadonlyMap<string, readonly [root: string, comparison: Comparison]> = new Map([
  ['longer', ['long', '>']],
  ['shorter', ['short', '<']],
  ['heavier', ['heavi', '>']],
  ['lighter', ['light', '<']],
  ['older', ['old', '>']],
  ['younger', ['young', '<']],
  ['taller', ['tall', '>']],
  ['cheaper', ['cheap', '<']],
  ['faster', ['fast', '>']],
  ['slower', ['slow', '<']],
  ['warmer', ['warm', '>']],
  ['colder', ['cold', '<']],
  ['deeper', ['deep', '>']],
]);

export function comparatorAt({ words }: QuestionAnalysis, at: number): Comparator | null {
  const adjective = ADJECTIVES.get(words[at]!.lower);
  if (adjective !== undefined && words[at + 1]?.lower === 'than')
    return { end: at + 2, comparison: adjective[1], adjective: adjective[0] };
  for (const [phrase, comparison] of PHRASES) {
    const parts = phrase.split(' ');
    if (parts.every((part, index) => words[at + index]?.lower === part))
      return { end: at + parts.length, comparison, adjective: null };
  }
  return null;
}
