import { amountAt } from '../text/amounts.ts';
import type { Adjunct } from './clauses.ts';
import type { Relation } from './relation.ts';
import { isSubject, type SentenceView } from './view.ts';

const ARTICLES = new Set('a an the his her its their our my'.split(' '));
const SIGNS = new Set(['.', ',', ';', ':', '"', '“', '”', '(', ')', "'"]);
const TIME_WORDS = new Set(['also', 'now', 'currently', 'then', 'formerly']);
const LEFT_OUT_OF_HEAD = new Set(
  'case punct cc conj acl:relcl appos cop parataxis mark advcl acl aux aux:pass bracketed'.split(' '),
);
const TAKEN = new Set('det amod compound flat nummod nmod:poss nmod:desc fixed advmod goeswith'.split(' '));
const TAKEN_BELOW = new Set('case cc conj punct obl obj acl'.split(' '));
const DEPTH_MAX = 2;
const WORDS_MAX = 15;

/** The words of a noun phrase: the head with what stands close to it, without its article. */
export function phrase(view: SentenceView, i: number): { from: number; to: number } {
  const { tokens } = view;
  let from = i;
  let last = i;
  const walk = (j: number, depth: number): void => {
    from = Math.min(from, j);
    last = Math.max(last, j);
    for (const k of tokens[j]!.children) {
      const { label } = tokens[k]!;
      if (j === i) {
        if (LEFT_OUT_OF_HEAD.has(label) || isSubject(label)) continue;
        if (label === 'advmod' && k < j && (TIME_WORDS.has(view.lower(k)) || view.tag(k).startsWith('W'))) continue;
      }
      const close = j !== i && TAKEN_BELOW.has(label) && Math.abs(k - j) < 6;
      if (TAKEN.has(label) || (label.startsWith('nmod') && depth < DEPTH_MAX) || close)
        if (depth < 6) walk(k, depth + 1);
    }
  };
  walk(i, 0);
  // "Moreover, X is a city": what stands before the copula is not the noun's.
  for (const k of view.kids(i, 'cop')) if (k < i) from = Math.max(from, k + 1);
  const name = view.nameAt[i] ?? null;
  if (name !== null) {
    from = Math.min(from, name.from);
    last = Math.max(last, name.to - 1);
  }
  if (last - from >= WORDS_MAX) {
    from = Math.max(from, i - 6);
    last = i;
  }
  while (from < last && (ARTICLES.has(view.lower(from)) || SIGNS.has(view.form(from)))) from++;
  while (last > from && SIGNS.has(view.form(last))) last--;
  return { from, to: last + 1 };
}

/** "for $75 million": a further value of a sale. */
export function priceOf(view: SentenceView, adjuncts: readonly Adjunct[]): Partial<Relation> {
  for (const { preposition, head } of adjuncts) {
    if (preposition !== 'for') continue;
    const amount = amountAt(view.tokens, view.text, head);
    if (amount !== null) return { amount: { ...amount, type: 'amount' } };
  }
  return {};
}
