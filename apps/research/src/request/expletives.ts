import type { Token } from '@cairn/reading';

/** Verbs whose subject is the weather. */
const WEATHER = new Set(['rain', 'snow', 'hail', 'freeze', 'thunder']);
/** Verbs whose subject is the clause behind "to". */
const EFFORT = new Set(['cost', 'take', 'pay', 'help', 'need', 'come', 'matter']);
const CLAUSE_MARKS = new Set(['that', 'whether', 'if', 'to']);

/** Whether "it" only fills the place of a clause that follows, or of no thing at all: "Is it true that …?" */
export function isExpletive(token: Token, tokens: readonly Token[]): boolean {
  if (token.lower !== 'it') return false;
  if (token.label === 'expl') return true;
  const predicate = predicateOf(token, tokens);
  if (predicate === null) return false;
  if (WEATHER.has(predicate.lemma)) return true;
  // "What does it cost to …?", "When it comes to …"
  const isFollowedByTo = tokens.slice(predicate.index + 1, predicate.index + 4).some(({ lower }) => lower === 'to');
  if (EFFORT.has(predicate.lemma) && isFollowedByTo) return true;
  const after = predicate.children.map((at) => tokens[at]!).filter(({ index }) => index > token.index);
  if (after.some(({ label }) => label === 'csubj')) return true;
  const isVerb = /^VB[PZ]?$/.test(predicate.tag);
  const clauses = after.filter((one) => isMarkedClause(one, tokens));
  // "true that …": a clause follows, whatever the parser made of its first word.
  const next = tokens[predicate.index + 1]?.lower;
  if (!isVerb) return clauses.length > 0 || next === 'that' || next === 'whether' || isAmbient(predicate, tokens);
  // "How long did it take to …?": a verb of measure with what is measured.
  const measures = predicate.children.some((at) => isMeasured(tokens[at]!, tokens));
  return measures && clauses.some(({ label }) => label === 'advcl');
}

/** The word that says something of it: a verb, or what it is said to be. */
function predicateOf({ label, head }: Token, tokens: readonly Token[]): Token | null {
  if (head < 0 || !/^(?:nsubj|obj|nmod)/.test(label)) return null;
  const verb = tokens[head]!;
  if (label !== 'obj') return verb;
  // "makes it hard to recycle"
  return (
    verb.children.map((at) => tokens[at]!).find((one) => one.label === 'xcomp' && one.tag.startsWith('JJ')) ?? null
  );
}

function isMarkedClause({ label, children }: Token, tokens: readonly Token[]): boolean {
  if (!/^(?:ccomp|xcomp|advcl|acl|csubj)/.test(label)) return false;
  return children.some((at) => tokens[at]!.label === 'mark' && CLAUSE_MARKS.has(tokens[at]!.lower));
}

/** "How long", "how much". */
function isMeasured({ tag, children }: Token, tokens: readonly Token[]): boolean {
  return /^(?:JJ|RB)/.test(tag) && children.some((at) => tokens[at]!.tag === 'WRB');
}

/** "What time is it in Tokyo?": the weather or the hour of a place. */
function isAmbient({ children, tag }: Token, tokens: readonly Token[]): boolean {
  if (!/^(?:JJ|NN)/.test(tag)) return false;
  return children.some((at) => /^(?:obl|nmod)/.test(tokens[at]!.label) && tokens[at]!.tag.startsWith('NNP'));
}
