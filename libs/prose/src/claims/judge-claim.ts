import { statementsOf } from '@cairn/language';
import { foreignAddress } from './claim-addresses.ts';
import { placesIn, sharedOnce } from './alignment.ts';
import { isMonth } from './figures.ts';
import { differsInNegation } from './negation.ts';
import { exchangesRoles } from './roles.ts';
import { changesUnits } from './units.ts';
import { OPPOSITE_OF } from './word-lists.ts';
import { sameWord, type ClaimWord, wordsOf } from './words.ts';

/** Why a claim is not carried by its evidence; the first that is found. */
type ClaimFault = 'nothing_said' | 'address' | 'words' | 'number' | 'unit' | 'name' | 'denial' | 'opposite' | 'roles';

interface ClaimJudgement {
  supported: boolean;
  /** Null when it is supported. */
  reason: ClaimFault | null;
}

/** One statement of the evidence, with the headings and statements that explain it. */
interface Evidence {
  text: string;
  words: readonly ClaimWord[];
  /** Of the headings and the title above it. */
  above: readonly ClaimWord[];
  /** Of the statements right before it, which its pronouns mean. */
  before: readonly ClaimWord[];
}

/** Share of a claim's words that one statement must have, with what it stands below. */
const WORDS_MIN = 0.6;
/** Statements that are tried for one claim, the nearest first. */
const TRIED_STATEMENTS_MAX = 4;
/** By how much another statement may carry less than the best one and still be meant. */
const SHARE_MARGIN = 0.1;
const BEFORE_MAX = 2;
const CLAUSE_MIN_WORDS = 3;
const JOINT = /;\s|[,;]?\s(?:and|but|while|whereas|und|aber|et|mais|y|pero)\s/giu;
/** Joints at which a claim is cut, for one that joins two statements. */
const CUTS_MAX = 8;
/** A claim of which one statement has more may be that statement changed, so its parts must be said word for word. */
const JOINED_SHARE_MAX = 0.8;
const MATCH_SHARE_MIN = 0.95;
/** A first line that is no sentence. */
const TITLE = /^[^\n]{1,300}(?<![.!?:;,])\n/;
const POINTS_BACK =
  /^(?:the|der|die|das|le|la|les|el|los|las)\s|(?<!\p{L})(?:he|she|it|they|his|her|its|their|him|them|this|these|those|such|er|sie|es|ihr|sein|il|elle|ils|elles|son|sa|ses|su|sus)(?!\p{L})/iu;
/** Faults that another statement may make good, for a claim that joins two. */
const OF_ONE_STATEMENT: ReadonlySet<ClaimFault | null> = new Set(['words', 'number', 'unit', 'name']);
/** Words between a number and what it counts. */
const BINDING_REACH = 4;
const NEIGHBOURS = 2;
/** A year belongs to a whole statement more often than to the word beside it. */
const YEAR = /^(?:1\d|20)\d{2}$/;

/**
 * Whether evidence carries a claim. Each part of the claim must be said by one statement: nearly all its words, every
 * number beside what it counts and in its unit and scale, every name in its place, and the same things denied, before, more or done to whom.
 * Reads words and their order alone, so a fault that changes neither is not found. The first line of an evidence may be its title.
 */
export function judgeClaim(claim: string, evidence: readonly string[]): ClaimJudgement {
  if (!wordsOf(claim).some(({ isCue }) => !isCue)) return faulty('nothing_said');
  if (foreignAddress(claim, evidence)) return faulty('address');
  const statements = evidence.flatMap(readEvidence);
  const whole = judgePart(claim, statements);
  if (whole.fault === null) return { supported: true, reason: null };
  if (!OF_ONE_STATEMENT.has(whole.fault)) return faulty(whole.fault);
  const shareMin = whole.share > JOINED_SHARE_MAX ? MATCH_SHARE_MIN : 0;
  const isStated = (part: string) => {
    const { fault, share } = judgePart(part, statements);
    return fault === null && share >= shareMin;
  };
  const isJoined = cutsOf(claim).some((parts) => parts.every(isStated));
  return isJoined ? { supported: true, reason: null } : faulty(whole.fault);
}

function faulty(reason: ClaimFault): ClaimJudgement {
  return { supported: false, reason };
}

function readEvidence(evidence: string): Evidence[] {
  const title = TITLE.exec(evidence)?.[0] ?? '';
  const above = wordsOf(title);
  const statements = statementsOf(evidence.slice(title.length));
  const read = statements.map(({ text }) => wordsOf(text));
  return statements.map(({ text, headings }, index) => ({
    text,
    words: read[index]!,
    above: [...above, ...headings.flatMap(wordsOf)],
    before: read.slice(Math.max(0, index - BEFORE_MAX), index).flat(),
  }));
}

/** The ways to cut a claim in two where it may join statements. */
function cutsOf(claim: string): [string, string][] {
  const cuts = [...claim.matchAll(JOINT)].map((joint): [string, string] => [
    claim.slice(0, joint.index),
    claim.slice(joint.index + joint[0].length),
  ]);
  return cuts.filter((parts) => parts.every((part) => wordsOf(part).length >= CLAUSE_MIN_WORDS)).slice(0, CUTS_MAX);
}

/**
 * What is wrong with a claim by the statement that carries most of it, nothing when one that is near carries it; and the
 * share of the claim's words that such a statement has itself.
 */
function judgePart(claim: string, statements: readonly Evidence[]): { fault: ClaimFault | null; share: number } {
  const words = wordsOf(claim);
  const rated = statements.map((statement) => ({ statement, share: carriedShare(words, statement) }));
  const best = rated.reduce((most, { share }) => Math.max(most, share), 0);
  const nearest = rated
    .filter(({ share }) => share >= Math.max(WORDS_MIN, best - SHARE_MARGIN))
    .sort((a, b) => b.share - a.share)
    .slice(0, TRIED_STATEMENTS_MAX);
  const faults = nearest.map(({ statement }) => faultOf({ text: claim, words }, statement));
  const own = Math.max(0, ...nearest.map(({ statement }) => ownShare(words, statement)));
  return { fault: faults.length === 0 ? 'words' : faults.includes(null) ? null : faults[0]!, share: own };
}

function ownShare(words: readonly ClaimWord[], { words: own }: Evidence): number {
  const content = words.filter(({ isCue }) => !isCue);
  return content.filter((word) => own.some((other) => sameWord(word, other))).length / Math.max(1, content.length);
}

function carriedShare(words: readonly ClaimWord[], { words: own, above, before }: Evidence): number {
  const content = words.filter(({ isCue }) => !isCue);
  const has = (others: readonly ClaimWord[], word: ClaimWord) => others.some((other) => sameWord(word, other));
  const carried = content.map((word) => (has(own, word) ? 1 : has(above, word) || has(before, word) ? 0.6 : 0));
  return carried.reduce<number>((sum, one) => sum + one, 0) / Math.max(1, content.length);
}

function faultOf(claim: { text: string; words: readonly ClaimWord[] }, statement: Evidence): ClaimFault | null {
  const places = placesIn(claim.words, statement.words);
  if (!numbersAreBound(claim.words, statement, places)) return 'number';
  if (changesUnits(claim, statement)) return 'unit';
  if (!namesAreInPlace(claim.words, statement, places)) return 'name';
  if (differsInNegation(claim.words, statement.words, places)) return 'denial';
  if (statesOpposite(claim.words, statement.words, places)) return 'opposite';
  return exchangesRoles(claim, statement, sharedOnce(places)) ? 'roles' : null;
}

/**
 * Whether every number of a claim stands in the evidence as often, and, where that has several, near one of the words
 * that it stands beside in the claim.
 */
function numbersAreBound(words: readonly ClaimWord[], { words: own }: Evidence, places: readonly number[][]): boolean {
  const isFigure = ({ number, text }: ClaimWord) => number !== null || isMonth(text);
  const isLone = own.filter(isFigure).length === 1;
  return words.every((word, index) => {
    if (!isFigure(word)) return true;
    const found = places[index]!;
    if (found.length < words.filter((other) => isFigure(other) && sameWord(other, word)).length) return false;
    const beside = [
      ...places.slice(Math.max(0, index - NEIGHBOURS), index),
      ...places.slice(index + 1, index + 1 + NEIGHBOURS),
    ];
    const known = beside.flat();
    if (isLone || known.length === 0 || YEAR.test(word.key)) return true;
    return found.some((at) => known.some((other) => other !== at && Math.abs(other - at) <= BINDING_REACH));
  });
}

/**
 * Whether every name of a claim is in its statement, or above it, or before a statement that points back, and does not
 * stand where the statement has another name.
 */
function namesAreInPlace(words: readonly ClaimWord[], statement: Evidence, places: readonly number[][]): boolean {
  const said = new Set(words.map(({ key }) => key));
  return words.every((word, index) => {
    if (places[index]!.length > 0) return true;
    // A capital at the beginning marks no name by itself, but it may stand where the statement has one.
    const begins = index === 0 && /^\p{Lu}/u.test(word.text);
    if (!word.isName) return !begins || !standsForName(statement.words, said, places, index);
    const isSame = (other: ClaimWord) => sameWord(word, other);
    const isAbove = statement.above.some(isSame);
    if (!isAbove && !(POINTS_BACK.test(statement.text) && statement.before.some(isSame))) return false;
    return !standsForName(statement.words, said, places, index);
  });
}

/** Whether a statement has a name of its own between the words that stand around a place of the claim. */
function standsForName(
  own: readonly ClaimWord[],
  said: ReadonlySet<string>,
  places: readonly number[][],
  index: number,
): boolean {
  const left = places.slice(0, index).findLast((found) => found.length === 1)?.[0] ?? -1;
  const right = places.slice(index + 1).find((found) => found.length === 1)?.[0] ?? own.length;
  return own.slice(left + 1, Math.max(left + 1, right)).some(({ isName, key }) => isName && !said.has(key));
}

/** Whether a claim has the opposite of a word that its statement has and the claim has not. */
function statesOpposite(words: readonly ClaimWord[], own: readonly ClaimWord[], places: readonly number[][]): boolean {
  return words.some(({ key }, index) => {
    const opposites = places[index]!.length === 0 ? OPPOSITE_OF.get(key) : undefined;
    return (
      opposites !== undefined &&
      own.some((other) => opposites.has(other.key) && !words.some((one) => one.key === other.key))
    );
  });
}
