import type { Reader, ReadingModel, Syntax, Token } from '@cairn/reading';
import { stemsOf } from '../text/words.ts';
import { clausesOf } from './clauses.ts';
import { isExpletive } from './expletives.ts';
import { ABOUT_THE_REPORT, ASKING_VERBS, GREETINGS, WORKING_VERBS } from './request-words.ts';

/** What a request leaves unsaid, so that nothing can be looked for. */
export type MissingContext =
  /** It points at something that it does not name, by these words of it: "their", "this company". */
  | { kind: 'pointing'; phrases: string[] }
  /** It continues something that was said before it: "What about prices?" */
  | { kind: 'fragment' }
  /** It only says that work is to be done, and on nothing. */
  | { kind: 'nothing' };

export interface ContextReader {
  syntax: Syntax;
  reader: Reader;
  lexicon: ReadingModel['lexicon'];
}

/** Something that a later pronoun may stand for. */
interface Antecedent {
  token: Token;
  sentence: number;
  isPlural: boolean;
  /** One of several that are listed, which "they" are together. */
  isListed: boolean;
  /** Null for a noun that is neither, and for a name of unknown type; `anybody` is "who" and "everyone". */
  type: 'person' | 'organisation' | 'anybody' | null;
  isName: boolean;
}

type Fits = (one: Antecedent) => boolean;

const THING: Fits = ({ isPlural, type }) => !isPlural && type !== 'person' && type !== 'anybody';
const ONE_PERSON: Fits = ({ isPlural, isName, type }) => !isPlural && (type === 'person' || (isName && type === null));
/** "They" also stand for one: a company, whoever was named, everybody. */
const SEVERAL: Fits = ({ isPlural, isListed, isName, type }) => isPlural || isListed || isName || type !== null;
const ANY: Fits = ({ type }) => type !== 'anybody';

/** Reflexive pronouns stand for what their own clause names. */
const PRONOUNS: ReadonlyMap<string, Fits> = new Map([
  ...['it', 'its'].map((word) => [word, THING] as const),
  ...['he', 'him', 'his', 'she', 'her', 'hers'].map((word) => [word, ONE_PERSON] as const),
  ...['they', 'them', 'their', 'theirs'].map((word) => [word, SEVERAL] as const),
]);
const DEMONSTRATIVES = new Set(['this', 'that', 'these', 'those']);
/** Words that stand for a noun which was said before, when none follows: "the same", "the two", "both". */
const STAND_INS = new Set('same other others former latter both two three four'.split(' '));
const ANYBODY = new Set('who whom whoever everyone everybody someone somebody anyone anybody one'.split(' '));
/** Texts of the asker, which the run can read: "these documents". */
const OWN_TEXTS = new Set('document doc file folder upload attachment memory knowledge handbook'.split(' '));
const PROMPT_MAX_CHARS = 2_000;

/** What a prompt leaves unsaid; null for one that can be worked on as it is. A longer prompt says enough. */
export function missingContextOf(known: ContextReader, prompt: string): MissingContext | null {
  if (prompt.length > PROMPT_MAX_CHARS) return null;
  const { syntax } = known;
  const sentences = prompt
    .split('\n')
    .flatMap((line) => syntax.parse(line).map(({ start, end }) => line.slice(start, end)));
  const clauses = sentences.flatMap((sentence) => clausesOf(syntax, sentence));
  const isAsked = clauses.some(({ kind }) => kind !== 'instruction');
  // A request that only points is read as an instruction: "research it".
  const texts = isAsked
    ? clauses.map(({ text, kind }) => ({ text, isAsked: kind !== 'instruction' }))
    : sentences.map((text) => ({ text, isAsked: true }));
  const phrases = pointingIn(known, texts);
  if (phrases.length > 0) return { kind: 'pointing', phrases };
  if (!hasContent(syntax, prompt)) return { kind: 'nothing' };
  const opening = sentences.find((one) => clausesOf(syntax, one).some(({ kind }) => kind !== 'instruction'));
  return isFragment(known, opening ?? '') ? { kind: 'fragment' } : null;
}

/** The words that point at something unsaid, in what is asked. Earlier sentences may say what they stand for. */
function pointingIn(known: ContextReader, texts: readonly { text: string; isAsked: boolean }[]): string[] {
  const types = new Map(
    known.reader.read(texts.map(({ text }) => text).join('\n')).names.map(({ text, type }) => [text, type]),
  );
  const antecedents: Antecedent[] = [];
  const phrases: string[] = [];
  let number = 0;
  const parsed = texts.flatMap(({ text, isAsked }) =>
    known.syntax.parse(text).map(({ tokens }) => ({ tokens, isAsked })),
  );
  for (const { tokens, isAsked } of parsed) {
    number += 1;
    for (const token of tokens) {
      const pointed = pointedBy(token, tokens, known);
      if (
        isAsked &&
        pointed !== null &&
        !isWhatIsAskedFor(token, tokens) &&
        !antecedents.some((one) => mayStandFor(one, { token, tokens, number }, pointed.fits))
      )
        phrases.push(pointed.phrase);
      const named = antecedentOf(token, tokens, { known, types, sentence: number });
      if (named !== null && pointed === null) antecedents.push(named);
    }
  }
  return [...new Set(phrases)];
}

/** "Which companies make their own chips?": of what is asked for, whatever the tagger takes the plural noun for. */
function isWhatIsAskedFor({ lower }: Token, [first, second]: readonly Token[]): boolean {
  if (!['their', 'theirs', 'they', 'them', 'themselves'].includes(lower)) return false;
  if (first === undefined || second === undefined || !['which', 'what'].includes(first.lower)) return false;
  return second.lower.endsWith('s') && !['be', 'do', 'have'].includes(second.lemma) && second.tag !== 'MD';
}

/** What a word needs to have been said before it; null for a word that stands for itself. */
function pointedBy(
  token: Token,
  tokens: readonly Token[],
  known: ContextReader,
): { phrase: string; fits: Fits } | null {
  const { lower, label } = token;
  const fits = PRONOUNS.get(lower);
  if (fits !== undefined) return isExpletive(token, tokens) ? null : { phrase: lower, fits };
  if (DEMONSTRATIVES.has(lower) && token.tag === 'DT') {
    const noun = label === 'det' ? tokens[token.head]! : null;
    // "those who …", "that of …": what is meant follows.
    if (noun === null) return label === 'mark' || isExplainedAfter(token, tokens) ? null : { phrase: lower, fits: ANY };
    if (noun.index < token.index || isComplete(noun, known, tokens)) return null;
    return {
      phrase: tokens
        .slice(token.index, noun.index + 1)
        .map((one) => one.lower)
        .join(' '),
      fits: ANY,
    };
  }
  const isAlone = !['amod', 'nummod', 'det', 'advmod', 'cc', 'cc:preconj', 'compound'].includes(label);
  const before = tokens[token.index - 1]?.lower;
  if (!STAND_INS.has(lower) || !isAlone || (before !== 'the' && lower !== 'both')) return null;
  return isExplainedAfter(token, tokens) ? null : { phrase: `${lower === 'both' ? '' : 'the '}${lower}`, fits: ANY };
}

/** "those who …", "the two in Oslo". */
function isExplainedAfter({ index, children }: Token, tokens: readonly Token[]): boolean {
  return tokens[index + 1]?.lower === 'of' || children.some((at) => /^(?:nmod|acl)/.test(tokens[at]!.label));
}

/** Whether "this" before the noun needs nothing said before: "this year", "these documents". */
function isComplete(noun: Token, { lexicon }: ContextReader, tokens: readonly Token[]): boolean {
  // "that bridge in Genoa"
  if (tokens[noun.index + 1]?.tag === 'IN' || noun.children.some((at) => tokens[at]!.label.startsWith('acl')))
    return true;
  return lexicon.nounKind(noun.lemma) === 'time' || OWN_TEXTS.has(noun.lemma);
}

function antecedentOf(
  token: Token,
  tokens: readonly Token[],
  { known, types, sentence }: { known: ContextReader; types: ReadonlyMap<string, string>; sentence: number },
): Antecedent | null {
  const { lower, lemma, tag, form, noun, index, children } = token;
  // "Who" is whoever does it; in "who their rivals are" it is what is asked for.
  if (tag.startsWith('W') && !token.label.startsWith('nsubj')) return null;
  if (ANYBODY.has(lower)) return { token, sentence, isPlural: false, isListed: false, type: 'anybody', isName: false };
  if (!noun && tag !== 'CD') return null;
  const isName = tag.startsWith('NNP');
  if (!isName && (ABOUT_THE_REPORT.has(lower) || ABOUT_THE_REPORT.has(lemma))) return null;
  // An order that is written large at the beginning looks like a name.
  if (index === 0 && (ASKING_VERBS.has(lower) || WORKING_VERBS.has(lower) || GREETINGS.has(lower))) return null;
  if (known.lexicon.nounKind(lemma) === 'time') return null;
  const type = isName ? typeOf(form, types) : nounType(known.lexicon.nounKind(lemma));
  const isListed = children.some((at) => tokens[at]!.label === 'conj' && tokens[at]!.noun);
  return { token, sentence, isPlural: tag.endsWith('S') && !isName, isListed, type, isName };
}

function typeOf(form: string, types: ReadonlyMap<string, string>): Antecedent['type'] {
  const found = [...types].find(([name]) => name.split(' ').includes(form))?.[1];
  return found === 'person' || found === 'organisation' ? found : null;
}

function nounType(kind: string): Antecedent['type'] {
  if (kind === 'person') return 'person';
  return kind.startsWith('organisation') || kind === 'group' ? 'organisation' : null;
}

/**
 * Whether what was said may be meant: it agrees, it does not contain the pronoun ("their office" is not what is
 * theirs), and is not what the pronoun's own verb does something to ("How much revenue does it have?").
 */
function mayStandFor(
  { token: named, sentence, ...rest }: Antecedent,
  { token, tokens, number }: { token: Token; tokens: readonly Token[]; number: number },
  fits: Fits,
): boolean {
  if (!fits({ token: named, sentence, ...rest })) return false;
  if (sentence !== number) return true;
  for (let at = token; at.head >= 0; at = tokens[at.head]!) {
    // What is listed beside it, or described by a clause of its own, may be meant: "companies that publish their reports".
    if (/^(?:conj|acl|advcl)/.test(at.label)) break;
    if (at.head === named.index) return false;
  }
  return token.tag === 'PRP$' || named.head !== token.head || named.head < 0;
}

/** "And the year before?", "What about prices?": no verb, and no name beside a noun that could be looked up. */
function isFragment({ syntax }: ContextReader, text: string): boolean {
  const tokens = syntax.parse(text).flatMap((sentence) => sentence.tokens);
  const [first, second] = tokens;
  const continues = first?.tag === 'CC' || (first?.tag.startsWith('W') && second?.tag === 'IN');
  if (!continues || tokens.some(({ verb, tag }) => verb || tag === 'MD')) return false;
  const nouns = tokens.filter(({ tag }) => tag.startsWith('NN'));
  return nouns.every(({ tag }) => tag.startsWith('NNP')) || !nouns.some(({ tag }) => tag.startsWith('NNP'));
}

/** Whether any word is left that could be looked for, beside those that ask for work. */
function hasContent(syntax: Syntax, prompt: string): boolean {
  const tokens = syntax.parse(prompt).flatMap((sentence) => sentence.tokens);
  return tokens.some(
    ({ lower, lemma, form, tag }) =>
      OWN_TEXTS.has(lemma) ||
      (tag !== 'CD' &&
        stemsOf(form).length > 0 &&
        ![lower, lemma].some(
          (word) =>
            ABOUT_THE_REPORT.has(word) || ASKING_VERBS.has(word) || WORKING_VERBS.has(word) || GREETINGS.has(word),
        )),
  );
}
