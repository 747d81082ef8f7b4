import { CITY, GIVEN, type Lexicon, type NounKind, PLACE } from '../learned/lexicon.ts';
import { kinshipOf, TITLE_NOUNS, verbClass } from '../vocabulary/word-classes.ts';
import type { Token } from '../tree/sentence.ts';
import { NAME_TYPES, type NameType } from './name-classifier.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Nouns whose possessor is an organisation: "the founder of X", "X's subsidiary". */
const OF_ORGANISATIONS = words(
  'ceo cto cfo coo founder co-founder cofounder chairman headquarters subsidiary shareholder employee investor ' +
    'spokesman spokeswoman spokesperson customer revenue acquisition board product',
);
const MADE = words('found establish incorporate acquire headquarter co-found list rename');
/** "Founded in 1991, X has …" */
const FOUNDED = words('found co-found incorporate headquarter');
const PERSONAL = words('marry graduate study retire teach bear die');
const PERSON_TITLES = words(
  'mr mr. mrs mrs. ms ms. dr dr. prof prof. sir dame senator president ceo saint pope king queen prince princess bishop ' +
    'archbishop cardinal rabbi rev rev. reverend colonel lieutenant sergeant judge justice',
);

const NAMED_AFTER_PERSONS: ReadonlySet<NounKind> = new Set<NounKind>([
  'organisation',
  'organisation?',
  'place',
  'event',
  'artifact',
]);

/** What a clause says of a name's type by itself, so that a name that training never met is not left to its letters. */
export function typeEvidence(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon): NameType[] {
  const found: NameType[] = [];
  let at = from;
  for (let i = from; i < to; i++) if (tokens[i]!.head < from || tokens[i]!.head >= to) at = i;
  const token = tokens[at]!;
  beside(tokens, from, to, lexicon, found);
  if (to - from === 1 && token.tag === 'JJ') found.push('other');
  for (const k of token.children) {
    const child = tokens[k]!;
    if (child.label === 'appos' && child.noun && (k < from || k >= to)) said(child, lexicon, found);
    if (child.label === 'acl' && child.tag === 'VBN' && FOUNDED.has(child.lemma)) found.push('organisation');
  }
  const head = token.head >= 0 ? tokens[token.head]! : null;
  if (head === null) return found;
  switch (token.label) {
    case 'nsubj:pass':
      if (MADE.has(head.lemma) || isBasedSomewhere(tokens, head)) found.push('organisation');
      if (head.lower === 'born' || verbClass(head.lemma) === 'die') found.push('person');
      break;
    case 'nsubj':
      if (head.children.some((k) => tokens[k]!.label === 'cop')) {
        // What somebody or something is said to be counts twice.
        said(head, lexicon, found);
        said(head, lexicon, found);
      } else if (PERSONAL.has(head.lemma)) found.push('person');
      else if (ownsAsOrganisation(tokens, head)) found.push('organisation');
      break;
    case 'compound':
      // "the Porto office"
      if (head.form === head.lower && isListedPlace(tokens, from, to, lexicon)) found.push('place');
      break;
    case 'nmod':
    case 'nmod:poss':
      if (OF_ORGANISATIONS.has(head.lemma) && isPossessor(tokens, token)) found.push('organisation');
      if (token.label === 'nmod' && NAMED_PLACES.has(head.lemma) && isPossessor(tokens, token)) found.push('place');
      if (token.label === 'nmod:poss' && kinshipOf(head.lemma) !== undefined) found.push('person');
      break;
    case 'appos':
      if (head.noun) said(head, lexicon, found);
      break;
    default:
  }
  return found;
}

const OPENING_QUOTES = new Set(['"', '“', '``', '«', '„']);
const CLOSING_QUOTES = new Set(['"', '”', "''", '»', '“']);
/** After these a name in quotes is another name of somebody, not a title. */
const BEFORE_ALIASES = words('as name nickname nicknamed called');
const PLACE_ENDINGS = words(
  'street road avenue boulevard square river lake county island islands mountains valley bay cemetery airport stadium ' +
    'tomb temple castle palace bridge dam reservoir park forest beach hill hills creek canyon peninsula harbour harbor ' +
    'highway district township',
);
/** Nouns of places after which a name stands with "of". */
const NAMED_PLACES = words(
  'city town village borough county district province region island municipality state parish',
);
const SOVEREIGNS = words('king queen emperor empress prince princess sultan pope saint');

/** What stands right before and after a name, and its first and last word. */
function beside(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon, found: NameType[]): void {
  const before = tokens[from - 1];
  if (before !== undefined) {
    if (PERSON_TITLES.has(before.lower)) found.push('person');
    else if (before.noun && before.form === before.lower) said(before, lexicon, found);
    const title = OPENING_QUOTES.has(before.form) && !BEFORE_ALIASES.has(tokens[from - 2]?.lower ?? '');
    if (title && isQuoteEnd(tokens, to)) found.push('other');
  }
  const last = lexicon.nounKind(tokens[to - 1]!.lower);
  if (to - from > 1 && SOVEREIGNS.has(tokens[from]!.lower) && !NAMED_AFTER_PERSONS.has(last)) found.push('person');
  if (to - from > 2 && last === 'organisation') found.push(last);
  if (to - from > 1 && PLACE_ENDINGS.has(tokens[to - 1]!.lower)) found.push('place');
  if (tokens[to]?.form === ',' && isRegion(tokens, to + 1, lexicon)) found.push('place');
}

/** "… Title", also with the comma of the sentence before the closing quote. */
function isQuoteEnd(tokens: readonly Token[], at: number): boolean {
  const form = tokens[at]?.form ?? '';
  return CLOSING_QUOTES.has(form) || (',.!?'.includes(form) && CLOSING_QUOTES.has(tokens[at + 1]?.form ?? ''));
}

/** A state or country, which follows the name of a town: "Leland, North Carolina". */
function isRegion(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  let lower = '';
  for (let i = at; i < tokens.length && i < at + 3; i++) {
    lower += `${lower === '' ? '' : ' '}${tokens[i]!.lower}`;
    const entry = lexicon.entry(lower);
    if ((entry & PLACE) !== 0 && (entry & (CITY | GIVEN)) === 0) return true;
  }
  return false;
}

function isListedPlace(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon): boolean {
  const name = tokens.slice(from, to).map(({ lower }) => lower);
  const entry = lexicon.entry(name.join(' '));
  return (entry & (CITY | PLACE)) !== 0 && (entry & GIVEN) === 0;
}

/** "is based in Oslo": a film is based on a novel. */
function isBasedSomewhere(tokens: readonly Token[], verb: Token): boolean {
  if (verb.lower !== 'based') return false;
  const cases = verb.children.flatMap((k) => tokens[k]!.children).map((k) => tokens[k]!.lower);
  return cases.includes('in') && !cases.includes('on');
}

/** "X moved its headquarters": the verb is about what only an organisation has, and it is the subject's own. */
function ownsAsOrganisation(tokens: readonly Token[], verb: Token): boolean {
  return verb.children.some((k) => {
    const { label, lemma, children } = tokens[k]!;
    return label === 'obj' && OF_ORGANISATIONS.has(lemma) && children.some((c) => tokens[c]!.lower === 'its');
  });
}

function isPossessor(tokens: readonly Token[], token: Token): boolean {
  if (token.label === 'nmod:poss') return true;
  return token.children.some((k) => tokens[k]!.label === 'case' && tokens[k]!.lower === 'of');
}

/** "X is a …", "X, a …" */
function said(noun: Token, lexicon: Lexicon, found: NameType[]): void {
  const kind = lexicon.nounKind(noun.lemma);
  if (kind === 'person' || (TITLE_NOUNS.has(noun.lemma) && noun.tag === 'NN')) found.push('person');
  else if (kind === 'organisation') found.push('organisation');
  else if (kind === 'place') found.push('place');
}

export function typeNumber(type: NameType): number {
  return NAME_TYPES.indexOf(type);
}
