import { plainText } from '@cairn/language';
import { stemsOf, stemOf } from '../text/words.ts';
import type { ParsedCriterion } from './criteria.ts';
import { type Candidate, plainKey } from './entity-resolution.ts';
import { shownPhrase } from './class-phrase.ts';
import { synonymStems } from './synonyms.ts';
import { isUnrestrictedClass } from './requested-class.ts';
import { matchClass } from './match-class.ts';
import { sameNationality } from './nationality.ts';
import { isWithin } from './places.ts';
import type { EntityKind } from './nouns.ts';
import type { Fact, ProfileQuote } from './profile.ts';

/** What the sources say about one condition of one candidate. */
export interface CriterionCheck {
  met: boolean;
  /** From 0 to 1. */
  confidence: number;
  value: string;
  evidence: ProfileQuote[];
}

const EVIDENCE_MAX = 3;
const MET_FROM = 0.5;
/** For a statement that has all words of a condition, in whatever sense. */
const STATEMENT_CONFIDENCE = 0.7;
/** For what follows from another fact: somebody from a country, of whom no text says another nationality. */
const INFERRED = 0.6;
/** For a name that is read as that of a person, or an organisation. */
const NAMED = 0.9;
/** Where somebody was born says little about their nationality. */
const HINTED = 0.45;
const NEGATED =
  /\b(?:no|not|never|without|lacks?|doesn't|does not|neither|nor|instead of|wants? to learn|would like to learn|hopes? to learn|is learning|plans? to|interested in learning|unlike|works? (?:closely )?with (?:the )?|alongside|supports?|recruits?|hires?)\b/i;
const YEAR = /\b[12]\d{3}\b/;

type Share = readonly [kind: string, share: number];

/** Kinds of facts that a condition may be met by, with how much of their confidence is left. */
const BY: ReadonlyMap<string, readonly Share[]> = new Map(
  Object.entries<readonly Share[]>({
    location: [
      ['location', 1],
      ['headquarters', 1],
      ['origin', 0.8],
    ],
    employer: [
      ['employer', 1],
      ['team', 0.9],
    ],
    former_employer: [
      ['former_employer', 1],
      ['employer', 1],
      ['team', 0.9],
    ],
    founded: [
      ['founded', 1],
      ['open:begin_date', 1],
      ['open:start_date', 1],
      ['said:launch_date', 0.9],
      ['open:open_date', 1],
      ['open:establish_date', 1],
    ],
    birth_year: [['birth_date', 1]],
    death_year: [['death_date', 1]],
  }),
);

export function verify(candidate: Candidate, criterion: ParsedCriterion, kind: EntityKind): CriterionCheck {
  const found = factsMeeting(candidate, criterion, kind).sort((a, b) => b.confidence - a.confidence);
  const [best] = found;
  if (best !== undefined)
    return {
      met: best.confidence >= MET_FROM,
      confidence: best.confidence,
      value: best.value,
      evidence: distinct(
        found.filter(({ confidence }) => confidence >= MET_FROM || found.length === 1).map(({ quote }) => quote),
      ).slice(0, EVIDENCE_MAX),
    };
  if (criterion.kind === 'skill') {
    const said = candidate.statements.filter(({ quote }) =>
      clausesOf(quote).some((clause) => criterion.values.some((value) => hasAll(clause, stemsOf(value)))),
    );
    if (said.length > 0)
      return {
        met: true,
        confidence: STATEMENT_CONFIDENCE,
        value: criterion.value,
        evidence: distinct(said).slice(0, EVIDENCE_MAX),
      };
  }
  const instead = candidate.facts.find(
    (fact) => sortsOf(criterion).some(([sort]) => sort === fact.kind) && fact.current,
  );
  return {
    met: false,
    confidence: 0,
    value: instead?.value ?? '',
    evidence: instead === undefined ? [] : [instead.quote],
  };
}

interface Met {
  value: string;
  confidence: number;
  quote: ProfileQuote;
}

function factsMeeting(candidate: Candidate, criterion: ParsedCriterion, kind: EntityKind): Met[] {
  if (criterion.kind === 'role' || criterion.kind === 'industry') {
    if (criterion.classes.some(isUnrestrictedClass)) return beingNamed(candidate, kind);
    const match = matchClass(criterion.classes, candidate, kind);
    return match === null
      ? []
      : [{ value: shownPhrase(match.value), confidence: match.confidence, quote: match.fact.quote }];
  }
  if (criterion.kind === 'nationality') return nationalityOf(candidate, criterion, kind);
  return sortsOf(criterion).flatMap(([sort, share]) =>
    candidate.facts
      .filter((fact) => fact.kind === sort && criterion.values.some((value) => meets(fact, criterion, value)))
      .map(({ value, confidence, quote }) => ({ value, confidence: confidence * share, quote })),
  );
}

/** Whoever is named is meant: a text or a table that names them shows it, with what it calls them. */
function beingNamed(candidate: Candidate, kind: EntityKind): Met[] {
  const { facts, statements } = candidate;
  const isSure = candidate.kind === kind || facts.some(({ confidence }) => confidence === 1);
  const called = facts.find((fact) => fact.kind === 'class' || fact.kind === 'role');
  const quote = called?.quote ?? statements[0] ?? facts[0]?.quote;
  if (quote === undefined || !isSure) return [];
  return [{ value: called === undefined ? '' : shownPhrase(called.value), confidence: NAMED, quote }];
}

function sortsOf({ kind }: ParsedCriterion): readonly (readonly [string, number])[] {
  return BY.get(kind) ?? [[kind === 'role' || kind === 'industry' ? 'class' : kind, 1]];
}

function nationalityOf(candidate: Candidate, { values }: ParsedCriterion, kind: EntityKind): Met[] {
  const said = candidate.facts.filter((fact) => fact.kind === 'nationality');
  const own = said.filter(({ value }) => values.some((wanted) => sameNationality(value, wanted)));
  if (own.length > 0 || said.length > 0) return own;
  const places = kind === 'person' ? ['origin', 'birth_place', 'location'] : ['headquarters', 'location', 'origin'];
  return candidate.facts
    .filter((fact) => places.includes(fact.kind) && values.some((wanted) => isWithin(fact.value, wanted)))

    .map(({ kind: sort, value, confidence, quote }) => ({
      value,
      confidence: Math.min(confidence, sort === 'birth_place' ? HINTED : INFERRED),
      quote,
    }));
}

function meets(fact: Fact, { kind, bound }: ParsedCriterion, value: string): boolean {
  switch (kind) {
    case 'employer':
      return fact.current && sameName(fact.value, value);
    case 'location':
      return fact.current && (sameName(fact.value, value) || isWithin(fact.value, value));
    case 'birth_place':
      return sameName(fact.value, value) || isWithin(fact.value, value);
    case 'former_employer':
    case 'education':
      return sameName(fact.value, value);
    case 'language':
      return plainKey(fact.value).startsWith(plainKey(value));
    case 'founded':
    case 'birth_year':
    case 'death_year':
      return inBound(Number(YEAR.exec(fact.value)?.[0] ?? NaN), value, bound);
    case 'experience_years':
    case 'employees':
      return inBound(Number(/\d[\d.,]*/.exec(fact.value)?.[0].replace(/[.,](?=\d{3})/g, '') ?? NaN), value, bound);
    default:
      return hasAll(fact.value, stemsOf(value));
  }
}

function inBound(number: number, value: string, bound: 'min' | 'max' | undefined): boolean {
  return bound === 'max' ? number <= Number(value) : number >= Number(value);
}

function clausesOf(quote: string): string[] {
  return plainText(quote)
    .split(/;|,? (?:but|although|though|while|whereas|however) |(?<=[.!?]) /i)
    .filter((clause) => !NEGATED.test(clause));
}

function hasAll(clause: string, wanted: readonly string[]): boolean {
  const present = new Set([...stemsOf(clause), stemOf(clause)]);
  return wanted.length > 0 && wanted.every((stem) => [...synonymStems(stem)].some((other) => present.has(other)));
}

/**
 * Whether one name contains the other as consecutive words: `Berlin` in `Berlin, Germany`, `TU Munich` in `the TU
 * Munich`.
 */
function sameName(said: string, wanted: string): boolean {
  const [a, b] = [` ${plainKey(said)} `, ` ${plainKey(wanted)} `];
  return a.includes(b) || (b.includes(a) && a.trim().length > 3);
}

function distinct(quotes: readonly ProfileQuote[]): ProfileQuote[] {
  return [...new Map(quotes.map((quote) => [`${quote.source_id} ${quote.start}`, quote])).values()];
}
