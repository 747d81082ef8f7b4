import type { SharedWord } from './alignment.ts';
import type { ClaimWord } from './words.ts';

interface Side {
  text: string;
  words: readonly ClaimWord[];
}

/** What follows the participle of a passive up to its agent. */
const BY_AGENT = /^\S+(?:\s+[^\s,;.:()]+){0,5}?\s+by\s/iu;
const BEFORE_CHARS = 30;
const BE = /(?:^|\s)(?:is|are|was|were|been|being|be|got|get|gets)\s+(?:\S+\s+)?$/iu;
const ACTED_ON = /(?:ed|en|wn|ght|lt|de|id|ng|ld|pt|ne|un|ut|ot|nt|st)$/iu;

/**
 * Whether a claim exchanges what stands on both sides of a word: “B bought A” of “A bought B”. The passive exchanges
 * them too, and means the same; where it does not exchange them, it is the claim that does. A part that was moved
 * alone, such as a time or a place, exchanges nothing.
 */
export function exchangesRoles(claim: Side, evidence: Side, shared: readonly SharedWord[]): boolean {
  const isTurned = (pivot: SharedWord) =>
    isPassive(claim, claim.words[pivot.inClaim]!) !== isPassive(evidence, evidence.words[pivot.inEvidence]!);
  const turns = shared.filter((pivot) => isPivot(claim.words[pivot.inClaim]!) && isTurned(pivot));
  return (
    turns.some((turn) => standsStraight(shared, shared.indexOf(turn))) ||
    (turns.length === 0 && (exchangesAround(claim, shared) || exchangesNames(claim, evidence)))
  );
}

function isPivot({ isName, number, isCue }: ClaimWord): boolean {
  return !isName && number === null && !isCue;
}

/** Whether the words on both sides of one are on the same sides in the evidence. */
function standsStraight(shared: readonly SharedWord[], index: number): boolean {
  const [before, pivot, after] = [shared[index - 1], shared[index]!, shared[index + 1]];
  if (before === undefined || after === undefined) return false;
  return before.inEvidence < pivot.inEvidence && pivot.inEvidence < after.inEvidence;
}

/**
 * Whether a word has something before it that its evidence has behind it, and the other way around. Two numbers may be
 * exchanged around a name as well.
 */
function exchangesAround(claim: Side, shared: readonly SharedWord[]): boolean {
  const isNumber = ({ inClaim }: SharedWord) => claim.words[inClaim]!.number !== null;
  return shared.some((pivot, index) => {
    const before = shared.slice(0, index).filter((one) => one.inEvidence > pivot.inEvidence);
    const after = shared.slice(index + 1).filter((one) => one.inEvidence < pivot.inEvidence);
    if (before.length === 0 || after.length === 0) return false;
    return isPivot(claim.words[pivot.inClaim]!) || (before.some(isNumber) && after.some(isNumber));
  });
}

/** Whether a claim says of one name that it is what its evidence says of another. */
function exchangesNames(claim: Side, evidence: Side): boolean {
  const [subject, other] = [subjectOf(claim), subjectOf(evidence)];
  if (subject === null || other === null || subject.names.some((name) => other.names.includes(name))) return false;
  return other.names.some((name) => subject.behind.has(name)) && subject.names.some((name) => other.behind.has(name));
}

const COPULA = /(?<!\p{L})(?:is|are|was|were)(?!\p{L})/iu;

/** The names of which a sentence says what they are; null when its subject is not made of names alone. */
function subjectOf({ text, words }: Side): { names: string[]; behind: Set<string> } | null {
  const at = COPULA.exec(text)?.index;
  if (at === undefined) return null;
  const before = words.filter((word) => word.at < at);
  if (before.length === 0 || !before.every((word) => /^\p{Lu}/u.test(word.text) || word.number !== null)) return null;
  const behind = words.filter((word) => word.at > at).map(({ key }) => key);
  return { names: before.map(({ key }) => key), behind: new Set(behind) };
}

function isPassive({ text }: Side, word: ClaimWord): boolean {
  if (!BY_AGENT.test(text.slice(word.at, word.at + 120))) return false;
  return ACTED_ON.test(word.key) || BE.test(text.slice(Math.max(0, word.at - BEFORE_CHARS), word.at));
}
