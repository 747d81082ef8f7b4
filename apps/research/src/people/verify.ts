import { plainText } from '@cairn/text';
import { stemOf, stemsOf, wordsOf } from '../text/words.ts';
import type { CriterionKind, ParsedCriterion } from './criteria.ts';
import type { Fact, ProfileQuote } from './profile.ts';
import { type Candidate, plainKey } from './entity-resolution.ts';

/** What the sources say about one condition of one candidate. */
export interface CriterionCheck {
  met: boolean;
  /** From 0 to 1. */
  confidence: number;
  value: string;
  evidence: ProfileQuote[];
}

const EVIDENCE_MAX = 3;
/** For a statement that has all words of a condition, in whatever sense. */
const STATEMENT_CONFIDENCE = 0.7;
const NEGATED =
  /\b(?:no|not|never|without|lacks?|doesn't|does not|neither|nor|instead of|wants? to learn|would like to learn|hopes? to learn|is learning|plans? to|interested in learning|unlike|works? (?:closely )?with (?:the )?|alongside|supports?|recruits?|hires?)\b/i;
const FREE_TEXT: ReadonlySet<CriterionKind> = new Set(['skill', 'industry']);
/** Synonyms of professions. */
const ALIKE: readonly (readonly string[])[] = [
  ['engineer', 'developer', 'programmer'],
  ['backend', 'back-end', 'server-side'],
  ['frontend', 'front-end'],
  ['manager', 'head', 'lead', 'leader'],
  ['machine learning', 'ml'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['kubernetes', 'k8s'],
  ['postgresql', 'postgres'],
];
const ALIKE_STEMS = new Map(
  ALIKE.flatMap((group) => group.map((word) => [stemOf(word), new Set(group.map(stemOf))] as const)),
);

export function verify(candidate: Candidate, criterion: ParsedCriterion): CriterionCheck {
  const fitting = candidate.facts.filter((fact) => meets(fact, criterion)).sort((a, b) => b.confidence - a.confidence);
  if (fitting.length > 0) {
    const evidence = distinct(fitting.map(({ quote }) => quote)).slice(0, EVIDENCE_MAX);
    return { met: true, confidence: fitting[0]!.confidence, value: fitting[0]!.value, evidence };
  }
  if (FREE_TEXT.has(criterion.kind)) {
    const wanted = stemsOf(criterion.value);
    const said = candidate.statements.filter(({ quote }) => clausesOf(quote).some((clause) => hasAll(clause, wanted)));
    if (said.length > 0 && wanted.length > 0)
      return {
        met: true,
        confidence: STATEMENT_CONFIDENCE,
        value: criterion.value,
        evidence: distinct(said).slice(0, EVIDENCE_MAX),
      };
  }
  const instead = candidate.facts.find((fact) => fact.kind === criterion.kind && fact.current);
  return {
    met: false,
    confidence: 0,
    value: instead?.value ?? '',
    evidence: instead === undefined ? [] : [instead.quote],
  };
}

function clausesOf(quote: string): string[] {
  return plainText(quote)
    .split(/;|,? (?:but|although|though|while|whereas|however) |(?<=[.!?]) /i)
    .filter((clause) => !NEGATED.test(clause));
}

function hasAll(clause: string, wanted: readonly string[]): boolean {
  const present = new Set(stemsOf(clause));
  return wanted.every(
    (stem) => present.has(stem) || [...(ALIKE_STEMS.get(stem) ?? [])].some((other) => present.has(other)),
  );
}

function meets(fact: Fact, { kind, value, bound }: ParsedCriterion): boolean {
  switch (kind) {
    case 'employer':
      return fact.kind === 'employer' && fact.current && sameName(fact.value, value);
    case 'former_employer':
      // A current employee counts as having worked there.
      return (fact.kind === 'former_employer' || fact.kind === 'employer') && sameName(fact.value, value);
    case 'location':
      return fact.kind === 'location' && fact.current && sameName(fact.value, value);
    case 'education':
      return fact.kind === 'education' && sameName(fact.value, value);
    case 'language':
      return fact.kind === 'language' && plainKey(fact.value).startsWith(plainKey(value));
    case 'role':
      return fact.kind === 'role' && fact.current && isRole(fact.value, value);
    case 'experience_years':
    case 'employees':
    case 'founded': {
      const number = Number(/\d[\d.,]*/.exec(fact.value)?.[0].replace(/[.,](?=\d{3})/g, '') ?? NaN);
      return fact.kind === kind && (bound === 'max' ? number <= Number(value) : number >= Number(value));
    }
    case 'skill':
    case 'industry':
      return fact.kind === kind && hasAll(fact.value, stemsOf(value));
  }
}

/**
 * Whether one name contains the other as consecutive words: `Berlin` in `Berlin, Germany`, `TU Munich` in `the TU
 * Munich`.
 */
function sameName(said: string, wanted: string): boolean {
  const [a, b] = [` ${plainKey(said)} `, ` ${plainKey(wanted)} `];
  return a.includes(b) || (b.includes(a) && a.trim().length > 3);
}

/** Whether every word of the role occurs, in any order, with the profession last or followed only by a place. */
function isRole(said: string, wanted: string): boolean {
  const stems = stemsOf(wanted);
  if (stems.length === 0) {
    // A role that consists of a generic word only.
    const plain = wordsOf(wanted).map(({ text }) => stemOf(text));
    return plain.length > 0 && plain.every((stem) => wordsOf(said).some(({ text }) => stemOf(text) === stem));
  }
  return hasAll(said, stems);
}

function distinct(quotes: readonly ProfileQuote[]): ProfileQuote[] {
  return [...new Map(quotes.map((quote) => [`${quote.source_id} ${quote.start}`, quote])).values()];
}
