import { verbClass } from '../vocabulary/word-classes.ts';
import type { WordFeatures } from '../learned/words.ts';
import type { Lemmatizer } from './lemmas.ts';
import type { Token } from './sentence.ts';

const NOMINAL_LABELS = new Set(['obl', 'obl:agent', 'nmod', 'obj', 'dep']);

const AFTER_VERB = new Set(['from', 'in', 'at', 'for', 'with', 'to', 'as', 'on']);

const AFTER_EXECUTIVE = new Set(['officer', 'board', 'committee', 'director']);

/** Errors that the tagger makes again and again. Before the tree. */
export function repairTags(words: readonly WordFeatures[], tags: Int32Array, names: readonly string[]): void {
  repairExecutives(words, tags, names);
  repairSecondVerbs(words, tags, names);
}

/** "chief executive" by itself is a noun with its adjective. */
function repairExecutives(words: readonly WordFeatures[], tags: Int32Array, names: readonly string[]): void {
  for (let i = 1; i < words.length; i++) {
    if (words[i]!.lower !== 'executive' || words[i - 1]!.lower !== 'chief') continue;
    if (AFTER_EXECUTIVE.has(words[i + 1]?.lower ?? '')) continue;
    tags[i - 1] = names.indexOf('JJ');
    tags[i] = names.indexOf('NN');
  }
}

/** "leads the team and works from Oslo": the second verb of a subject that was tagged as a noun. */
function repairSecondVerbs(words: readonly WordFeatures[], tags: Int32Array, names: readonly string[]): void {
  const [third, plural, coordinator] = ['VBZ', 'NNS', 'CC'].map((name) => names.indexOf(name));
  const first = tags.indexOf(third!);
  if (first < 0) return;
  for (let i = first + 2; i + 1 < words.length; i++) {
    if (tags[i] !== plural || tags[i - 1] !== coordinator || !AFTER_VERB.has(words[i + 1]!.lower)) continue;
    const { lower } = words[i]!;
    if (lower.endsWith('s') && verbClass(lower.slice(0, -1)) !== null) tags[i] = third!;
  }
}

/** Errors that the parser makes again and again, and that the words themselves put right. Before children are known. */
export function repairTree(tokens: readonly Token[], lemmatizer: Lemmatizer): void {
  for (const token of tokens)
    if (token.tag === 'IN' && NOMINAL_LABELS.has(token.label)) lowerPreposition(tokens, token);
  for (const token of tokens) if (token.tag === 'NNP' && token.label === 'obl') joinName(tokens, token);
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

/** "to Ada Krull": a name's first word that hangs as an adjunct of its own on the next one, which is the adjunct. */
function joinName(tokens: readonly Token[], first: Token): void {
  const last = tokens[first.index + 1];
  if (last === undefined || first.head !== last.index || last.tag !== 'NNP') return;
  for (const token of tokens) if (token.head === first.index && token.label === 'case') token.head = last.index;
  first.label = 'compound';
  if (last.label === 'obj') last.label = 'obl';
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
