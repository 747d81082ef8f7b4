import type { Lexicon } from '../learned/lexicon.ts';
import { kinOf, TITLE_NOUNS, verbClass } from '../vocabulary/word-classes.ts';
import type { Token } from '../tree/sentence.ts';
import { NAME_TYPES, type NameType } from './typer.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Nouns whose possessor is an organisation: "the founder of X", "X's subsidiary". */
const OF_ORGANISATIONS = words(
  'ceo cto cfo coo founder co-founder cofounder chairman headquarters subsidiary shareholder employee investor ' +
    'spokesman spokeswoman spokesperson customer revenue acquisition board product',
);
const MADE = words('found establish incorporate acquire headquarter co-found list rename');
const PERSONAL = words('marry graduate study retire teach bear die');
const PERSON_TITLES = words('mr mr. mrs mrs. ms ms. dr dr. prof prof. sir dame senator president ceo');

/** What a clause says of a name's type by itself, so that a name that training never met is not left to its letters. */
export function typeEvidence(tokens: readonly Token[], from: number, to: number, lexicon: Lexicon): NameType[] {
  const found: NameType[] = [];
  let at = from;
  for (let i = from; i < to; i++) if (tokens[i]!.head < from || tokens[i]!.head >= to) at = i;
  const token = tokens[at]!;
  if (PERSON_TITLES.has(tokens[from - 1]?.lower ?? '')) found.push('person');
  for (const k of token.children) {
    const child = tokens[k]!;
    if (child.label === 'appos' && child.noun && (k < from || k >= to)) said(child, lexicon, found);
  }
  const head = token.head >= 0 ? tokens[token.head]! : null;
  if (head === null) return found;
  switch (token.label) {
    case 'nsubj:pass':
      if (MADE.has(head.lemma)) found.push('organisation');
      if (head.lower === 'born' || verbClass(head.lemma) === 'die') found.push('person');
      break;
    case 'nsubj':
      if (head.children.some((k) => tokens[k]!.label === 'cop')) said(head, lexicon, found);
      else if (PERSONAL.has(head.lemma)) found.push('person');
      break;
    case 'nmod':
    case 'nmod:poss':
      if (OF_ORGANISATIONS.has(head.lemma) && isPossessor(tokens, token)) found.push('organisation');
      if (token.label === 'nmod:poss' && kinOf(head.lemma) !== undefined) found.push('person');
      break;
    case 'appos':
      if (head.noun) said(head, lexicon, found);
      break;
    default:
  }
  return found;
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
