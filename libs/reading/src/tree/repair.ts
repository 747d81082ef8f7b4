import { verbClass } from '../vocabulary/word-classes.ts';
import type { Lemmatizer } from './lemmas.ts';
import type { Token } from './sentence.ts';

const NOMINAL_LABELS = new Set(['obl', 'obl:agent', 'nmod', 'obj', 'dep']);

/** Errors that the parser makes again and again, and that the words themselves put right. Before children are known. */
export function repairTree(tokens: readonly Token[], lemmatizer: Lemmatizer): void {
  for (const token of tokens)
    if (token.tag === 'IN' && NOMINAL_LABELS.has(token.label)) lowerPreposition(tokens, token);
  for (const token of tokens) if (token.tag === 'JJ') raiseParticiple(tokens, token, lemmatizer);
}

/** A preposition that stands as the head of its noun: the noun is the head. */
function lowerPreposition(tokens: readonly Token[], preposition: Token): void {
  const { index } = preposition;
  const noun = tokens.slice(index + 1, index + 8).find(({ head, noun: is }) => head === index && is);
  if (noun === undefined) return;
  for (const token of tokens) if (token.head === index && token !== noun) token.head = noun.index;
  noun.head = preposition.head;
  noun.label = preposition.label;
  preposition.head = noun.index;
  preposition.label = 'case';
}

/** "is married to", "is headquartered in": a participle that was tagged as an adjective is a passive verb. */
function raiseParticiple(tokens: readonly Token[], token: Token, lemmatizer: Lemmatizer): void {
  if (!token.lower.endsWith('ed')) return;
  const lemma = lemmatizer.lemma(token.lower, 'VBN');
  if (verbClass(lemma) === null) return;
  const dependents = tokens.filter(({ head }) => head === token.index);
  if (!dependents.some(({ label }) => label.startsWith('obl') || label === 'nmod')) return;
  token.tag = 'VBN';
  token.verb = true;
  token.lemma = lemma;
  for (const dependent of dependents) {
    if (dependent.label === 'cop') dependent.label = 'aux:pass';
    if (dependent.label === 'nsubj') dependent.label = 'nsubj:pass';
    if (dependent.label === 'nmod') dependent.label = 'obl';
  }
}
