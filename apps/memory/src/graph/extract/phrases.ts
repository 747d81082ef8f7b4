import { wordKind } from '../../text/lexicon.ts';
import type { EntityClass } from './entity-classes.ts';
import type { NameSpan } from './names.ts';

const DETERMINER = /^(?:the|an?|our|every|each|all|any|this|that|these|those|its|their|his|her|my|your)\s+/i;
const PRONOUN =
  /^(?:it|he|she|they|we|you|i|this|that|these|those|there|who|which|what|one|nobody|everybody|everyone|somebody|some|most|many|both|others?|here|each|all|none|he or she|them|such|so)$/i;
const PHRASE_WORDS_MAX = 9;

/** A noun phrase without what comes before it in the sentence; null when it is a pronoun, too long or nothing. */
export function subjectOf(text: string): string | null {
  let phrase = text.trim().replace(/^[-*•\d.)\s>]+(?=\p{L})/u, '');
  const comma = phrase.lastIndexOf(', ');
  // "In March, the gateway" and "Under the plan, a report": the phrase is what follows.
  if (comma >= 0) phrase = phrase.slice(comma + 2);
  phrase = phrase.replace(
    /^(?:and|but|or|so|then|also|while|when|if|since|because|that|as|currently|today|now)\s+/i,
    '',
  );
  phrase = phrase.replace(/^(?:in|on|at|for|from|by|since|until|after|before|during|under|with)\s.*$/i, '');
  while (DETERMINER.test(phrase)) phrase = phrase.replace(DETERMINER, '');
  phrase = phrase.replace(/(?<![\s,;:])[\s,;:]+$/, '').replace(/^["“„«'`*_]+|(?<!["”“»'`*_])["”“»'`*_]+$/g, '');
  if (phrase === '' || PRONOUN.test(phrase)) return null;
  const words = phrase.split(/\s+/);
  if (words.length > PHRASE_WORDS_MAX || /[.!?|]\s|[()[\]{}<>]/.test(phrase)) return null;
  if (!/\p{L}{2}/u.test(phrase)) return null;
  // A verb or a linking word inside is a sentence of its own.
  if (words.some((word) => BREAKING.has(word.toLowerCase()))) return null;
  if (wordKind(words.at(-1)!.toLowerCase()) === 'function' && !/\p{Lu}/u.test(words.at(-1)!)) return null;
  return phrase;
}

const BREAKING = new Set(
  'is are was were be been has have had who which that because if when while where whose did does do'.split(' '),
);

/** The name that covers the phrase, or most of it; else the phrase is a concept of its own. */
export function classOfPhrase(phrase: string, names: readonly NameSpan[]): EntityClass {
  const bare = phrase.toLowerCase();
  const found = names.find((name) => name.text.toLowerCase() === bare);
  if (found !== undefined) return found.class === 'term' ? 'other' : found.class;
  // "Platform team", "Konstanz office": called by a name, and a thing of its own.
  return /\p{Lu}/u.test(phrase) ? 'other' : 'concept';
}

/** The verb as a dictionary has it, as far as its endings tell: acknowledges, acknowledged → acknowledge. */
export function verbStem(verb: string): string {
  const lower = verb.toLowerCase();
  // Need, exceed: the d is the verb's own.
  if (lower.endsWith('eed')) return lower;
  const bases = [
    lower.replace(/ies$|ied$/, 'y'),
    lower.replace(/s$/, ''),
    lower.replace(/es$|ed$/, ''),
    lower.replace(/([bdgmnprt])\1ed$/, '$1'),
    lower.replace(/d$/, ''),
  ].filter((base) => base !== lower && base.length > 1);
  const known = bases.find((base) => wordKind(base) === 'common');
  if (known !== undefined) return known;
  if (/(?:[sxz]|[cs]h)es$/.test(lower) || lower.endsWith('ed')) {
    const base = lower.slice(0, -2);
    return /[cgsuvz]$/.test(base) ? `${base}e` : base;
  }
  return lower.replace(/(?<=[^s])s$/, '');
}
