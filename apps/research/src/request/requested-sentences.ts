import type { Syntax, Token } from '@cairn/reading';
import { ABOUT_THE_REPORT, ASKING_VERBS, EXCLUDING_VERBS, GREETINGS, WORKING_VERBS } from './request-words.ts';
import { withoutSourcePhrases } from './source-phrases.ts';

const ASKER = new Set(['i', 'we', 'you', 'my', 'our']);
const WANTING = new Set(['want', 'need', 'look', 'like', 'search', 'find', 'list', 'collect']);
const KEEPING_VERBS = new Set(['keep', 'look', 'include']);
/** People and what they speak: in a report the reader's, in a list what is wanted. */
const WANTED = new Set(['manager', 'reader', 'expert', 'beginner', 'child', 'speaker', 'speak']);
/** What only says how stands behind one of these, or is an order. */
const MANNERS = new Set('in as with without no at up within using please only just not keep'.split(' '));

/**
 * The sentences of a list's prompt that say who or what is wanted, without those, and those ends of them, that only say
 * where to look and how to write it down: "Use my documents only.", "…, as a table".
 */
export function requestedSentences(syntax: Syntax, prompt: string): string[] {
  return prompt
    .split('\n')
    .flatMap((line) => syntax.parse(line).map(({ start, end }) => line.slice(start, end)))
    .flatMap(sentencesWithin)
    .flatMap((sentence) => {
      const rest = withoutManner(syntax, withoutSourcePhrases(sentence));
      return rest === '' || isInstruction(syntax, rest) ? [] : [rest];
    });
}

/** Sentences that the splitter left together, because the word before the stop may be an abbreviation: "… Inc. Use …". */
function sentencesWithin(text: string): string[] {
  return text.split(/(?<=[\p{L}\p{N})]{3}[.!?]) (?=\p{Lu})/u).reduce<string[]>((sentences, part) => {
    if (sentences.length === 0 || beginsOrder(part)) return [...sentences, part];
    return [...sentences.slice(0, -1), `${sentences.at(-1)!} ${part}`];
  }, []);
}

/** Whether a text begins with an order, or with what only orders begin with. */
function beginsOrder(text: string): boolean {
  const first = /^[\p{L}'’]+/u.exec(text)?.[0].toLowerCase() ?? '';
  return isOrderWord(first) || ['please', 'only', 'thanks', "don't", 'don’t', 'never'].includes(first);
}

function beginsWithOrder(piece: string): boolean {
  return ASKING_VERBS.has(/^[\p{L}]+/u.exec(piece)?.[0].toLowerCase() ?? '');
}

function isOrderWord(word: string): boolean {
  return WORKING_VERBS.has(word) || ASKING_VERBS.has(word) || EXCLUDING_VERBS.has(word);
}

/** Without pieces behind a comma, or before a colon, that name nothing. */
function withoutManner(syntax: Syntax, sentence: string): string {
  const pieces = sentence
    .split(/[,:] /)
    .map((piece) => piece.replace(/^[\s,;:.]+|(?<![\s,;:.])[\s,;:.]+$/g, '').trim())
    .filter((piece) => piece !== '');
  // "Find managers, at Siemens": the order itself says what is wanted.
  const said = pieces.filter(
    (piece, at) => (at === 0 && (pieces.length === 1 || beginsWithOrder(piece))) || !isManner(syntax, piece),
  );
  return said.join(', ').replace(/\s+/g, ' ');
}

function isManner(syntax: Syntax, piece: string): boolean {
  const words = wordsOf(syntax, piece);
  const first = words[0];
  return first === undefined || ((MANNERS.has(first.lower) || isOrderWord(first.lower)) && !namesSomething(words));
}

/** Whether a sentence says nothing of whom or what is wanted. */
function isInstruction(syntax: Syntax, sentence: string): boolean {
  const words = wordsOf(syntax, sentence);
  const first = words[0];
  if (first === undefined) return true;
  // "Who is named in my documents?" asks for everybody.
  if (first.tag.startsWith('W')) return false;
  if (!namesSomething(words)) return true;
  const subject = words.find(({ label }) => label.startsWith('nsubj'));
  const wants = words.some(({ lemma }) => WANTING.has(lemma));
  if (subject !== undefined && ASKER.has(subject.lower)) return !wants;
  // "Keep only people from Norway", "Look for engineers"; but "Keep it short"
  if (KEEPING_VERBS.has(first.lower)) return !words.some(({ noun }) => noun);
  return WORKING_VERBS.has(first.lower) || EXCLUDING_VERBS.has(first.lower) || first.lower === 'no';
}

function wordsOf(syntax: Syntax, text: string): Token[] {
  return syntax
    .parse(text)
    .flatMap((sentence) => sentence.tokens)
    .filter(({ form }) => /[\p{L}\p{N}]/u.test(form));
}

/** Whether a word is left that is about the world: not about the answer, the sources or the work. */
function namesSomething(words: readonly Token[]): boolean {
  return words.some(
    ({ lower, lemma, tag, noun }) =>
      WANTED.has(lemma) ||
      ((noun || /^(?:JJ|VB|FW)/.test(tag)) &&
        ![lower, lemma].some(
          (word) =>
            ABOUT_THE_REPORT.has(word) || GREETINGS.has(word) || ASKING_VERBS.has(word) || WORKING_VERBS.has(word),
        )),
  );
}
