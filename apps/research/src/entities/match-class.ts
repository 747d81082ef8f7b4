import { stemOf, stemsOf } from '../text/words.ts';
import { synonymStems, synonymsOf } from './synonyms.ts';
import { type RequestedClass, isGenericNoun } from './requested-class.ts';
import { type ClassTerm, readClassPhrase } from './class-phrase.ts';
import type { Candidate } from './entity-resolution.ts';
import { type EntityKind, loadNouns } from './nouns.ts';
import type { Fact } from './profile.ts';

interface ClassMatch {
  fact: Fact;
  value: string;
  confidence: number;
}

const CLASS_FACTS = new Set(['class', 'role', 'industry']);
/** The words of the class are in the same sentence, but not stated of the one that it is about. */
const NEARBY = 0.45;
const BY_NAME = 0.8;
/** Football that is not soccer. */
const OTHER_FOOTBALL = /\b(?:American|Canadian|rules|Gaelic|college|arena) football|\bNFL\b/u;

/** Whose football is not soccer unless they say so. */
const GRIDIRON = new Set(['American', 'Canadian']);

/** The best evidence that the candidate is one of the kinds asked for; below one half it is a hint and no more. */
export function matchClass(
  asked: readonly RequestedClass[],
  candidate: Pick<Candidate, 'name' | 'aliases' | 'kind' | 'facts' | 'statements'>,
  kind: EntityKind,
): ClassMatch | null {
  const matches: ClassMatch[] = [];
  const names = [candidate.name, ...candidate.aliases];
  for (const one of asked) {
    for (const fact of candidate.facts) {
      if (!CLASS_FACTS.has(fact.kind)) continue;
      const stated = readClassPhrase(fact.value);
      const words = stated.terms.flatMap((term) => term.words);
      for (const [place, term] of stated.terms.entries()) {
        if (
          !isHead(term, one, {
            candidate,
            kind,
            sentence: fact.quote.quote,
            demonyms: stated.demonyms,
            isFirst: place === 0,
          })
        )
          continue;
        if (one.past && !term.past && fact.current) continue;
        const isSoccer =
          !OTHER_FOOTBALL.test(fact.quote.quote) && !stated.demonyms.some((demonym) => GRIDIRON.has(demonym));
        const extra = extraWords(term, names, kind);
        const share = modifierShare(one.modifiers, { words: [...words, ...extra], fact, kind, isSoccer });
        if (share > 0) matches.push({ fact, value: fact.value, confidence: Math.min(fact.confidence, share) });
      }
    }
    const named = byName(one, candidate, kind);
    if (named !== null) matches.push(named);
  }
  return matches.sort((a, b) => b.confidence - a.confidence)[0] ?? null;
}

/** What else may say the modifiers of an organisation's class: its name, and what its noun means. */
function extraWords(term: ClassTerm, names: readonly string[], kind: EntityKind): string[] {
  if (kind === 'person') return [];
  return [...names.flatMap((name) => name.toLowerCase().split(/\s+/)), ...loadNouns().glossOf(term.head)];
}

interface StatedClass {
  candidate: Pick<Candidate, 'kind'>;
  kind: EntityKind;
  sentence: string;
  demonyms: readonly string[];
  /** What somebody is called first is what they are; of what follows, only the words asked for themselves count. */
  isFirst: boolean;
}

function isHead(term: ClassTerm, { head }: RequestedClass, stated: StatedClass): boolean {
  const { candidate, kind, isFirst } = stated;
  const nouns = loadNouns();
  if (head === null) return kind === 'person' || candidate.kind === 'organisation' || nouns.canBe(term.head, kind);
  const words = term.words.join(' ');
  const last = term.head.split(' ').at(-1)!;
  if ([head, ...alikeNouns(head, stated)].some((one) => endsIn(words, one) || endsIn(nouns.singular(words), one)))
    return true;
  const heads = [term.head, last, ...last.split('-')];
  // "a brewery group": what it is stands before a noun that says no more than that it is an organisation.
  if (kind === 'organisation' && isVagueNoun(last)) heads.push(...term.words);
  return heads.some((noun) => nouns.isSame(noun, head, kind) || (isFirst && nouns.isA(noun, head, kind)));
}

function isVagueNoun(noun: string): boolean {
  return isGenericNoun(noun, 'organisation') || noun === 'group' || noun === 'chain';
}

function endsIn(words: string, end: string): boolean {
  return ` ${words}`.endsWith(` ${end}`);
}

function alikeNouns(head: string, { sentence, demonyms }: StatedClass): string[] {
  const isOther = OTHER_FOOTBALL.test(sentence) || demonyms.some((demonym) => GRIDIRON.has(demonym));
  return head.includes('soccer') && isOther ? [] : synonymsOf(head);
}

/** How surely all modifiers are stated: 1 when they are, less when the sentence has them elsewhere, 0 when it has not. */
function modifierShare(
  modifiers: readonly string[],
  { words, fact, kind, isSoccer }: { words: readonly string[]; fact: Fact; kind: EntityKind; isSoccer: boolean },
): number {
  if (modifiers.length === 0) return 1;
  const stems = new Set(words.flatMap((word) => [stemOf(word), ...word.split('-').map(stemOf)]));
  const has = (among: ReadonlySet<string>) => (modifier: string) =>
    [...(modifier === 'soccer' && !isSoccer ? [modifier] : synonymStems(stemOf(modifier)))].some((stem) =>
      among.has(stem),
    );
  if (modifiers.every(has(stems))) return 1;
  const around = new Set([...stems, ...stemsOf(kind === 'organisation' ? made(fact.quote.quote) : fact.quote.quote)]);
  if (!modifiers.every(has(around))) return 0;
  return kind === 'organisation' ? BY_NAME : NEARBY;
}

/** What a sentence says that an organisation makes or does, without what it does it for. */
function made(sentence: string): string {
  return sentence.split(/\s(?:for|used|such that|in order|to|\p{Ll}+ed by)\s/u, 1)[0]!;
}

/** An organisation's name often ends in what it is: "Bass Brewery". */
function byName(
  one: RequestedClass,
  candidate: Pick<Candidate, 'name' | 'aliases' | 'kind' | 'facts' | 'statements'>,
  kind: EntityKind,
): ClassMatch | null {
  const nouns = loadNouns();
  if (kind !== 'organisation' || candidate.kind !== 'organisation' || candidate.statements.length === 0) return null;
  for (const name of [candidate.name, ...candidate.aliases]) {
    const words = name.toLowerCase().replace(/[.,]/g, '').split(/\s+/);
    const head = nouns.headOf(words);
    const stems = new Set([...words, ...nouns.glossOf(head)].map(stemOf));
    const isOne = one.head === null ? one.modifiers.length > 0 : nouns.isA(head, one.head, kind);
    if (!isOne || !one.modifiers.every((modifier) => stems.has(stemOf(modifier)))) continue;
    const quote = candidate.statements[0]!;
    const confidence = Math.max(0, ...candidate.facts.map((fact) => fact.confidence));
    const fact: Fact = { kind: 'class', value: name, current: true, confidence, quote };
    return { fact, value: name, confidence: Math.min(BY_NAME, confidence) };
  }
  return null;
}
