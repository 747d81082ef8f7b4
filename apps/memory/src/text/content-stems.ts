import { UNSPACED_FUNCTION_WORDS } from '@cairn/language/unspaced-function-words';
import { analyseQuery } from './analyse.ts';
import { normalised } from './tokenise.ts';

/** Scripts that are indexed by pairs of characters, or whose words a dictionary finds. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');
const EACH_LETTER = /[\p{L}\p{M}]/gu;
const HAN = /\p{Script=Han}/gu;
const HANGUL = /^\p{Script=Hangul}+$/u;
/** Behind a Chinese character these are an inflection. */
const INFLECTION = /(?<=\p{Script=Han})\p{Script=Hiragana}{1,8}$/u;
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

const FUNCTION_WORD_MAX_CHARS = 8;
/** Korean pronouns that ask, copulas and auxiliaries, which bear endings. */
const KOREAN_FUNCTION =
  /^(?:어디|언제|누구|누가|무엇|무슨|뭐|얼마|며칠|몇|왜|어떻게|어떤|어느|있|없|입니|이에|예요|인가|합니|하나|됩니|되나|그리고|또는)/u;

/**
 * Whether the text is in a script whose words the index does not take apart as its readers do. A question in another
 * script that names something in such a one is not.
 */
export function isUnspaced(text: string): boolean {
  const count = (each: RegExp) => text.match(each)?.length ?? 0;
  return count(EACH_UNSPACED) * 2 > count(EACH_LETTER);
}

/**
 * The stems of what a question asks for. Of scripts without spaces, those inside of its words: a pair of characters
 * across two words is found only where the same words follow each other.
 */
export function contentStems(question: string, language: string): string[] {
  if (!UNSPACED.test(question)) return analyseQuery(question, language);
  const stems = new Set(analyseQuery(normalised(question).replaceAll(EACH_UNSPACED, ' '), language));
  for (const segment of contentWords(question)) {
    const word = HANGUL.test(segment) ? withoutParticle(segment) : segment.replace(INFLECTION, '');
    if (!isFunction(word)) for (const stem of analyseQuery(word, language)) stems.add(stem);
  }
  return stems.size > 0 ? [...stems] : analyseQuery(question, language);
}

/**
 * Words of scripts without spaces but those that say nothing. A dictionary cuts rows of particles in the middle: such
 * halves go together.
 */
function contentWords(text: string): string[] {
  const parts = [...WORDS.segment(normalised(text))].map(({ segment }) => segment);
  const isRow = (at: number) => isFunction(`${parts[at] ?? ' '}${parts[at + 1] ?? ' '}`);
  return parts.filter((part, at) => UNSPACED.test(part) && !isFunction(part) && !isRow(at) && !isRow(at - 1));
}

/** Chinese characters by themselves: words of one character, which the index has only as halves of pairs. */
export function charactersOf(text: string): readonly string[] {
  return UNSPACED.test(text) ? (normalised(text).match(HAN) ?? []) : [];
}

function isFunction(word: string): boolean {
  return KOREAN_FUNCTION.test(word) || isRowOfFunctionWords(word);
}

/** Whether function words follow each other until the end: by how far they reach, from left to right. */
function isRowOfFunctionWords(word: string): boolean {
  const reached = new Set([0]);
  for (let from = 0; from < word.length; from += 1) {
    if (!reached.has(from)) continue;
    for (let to = from + 1; to <= Math.min(word.length, from + FUNCTION_WORD_MAX_CHARS); to += 1)
      if (UNSPACED_FUNCTION_WORDS.has(word.slice(from, to))) reached.add(to);
  }
  return reached.has(word.length);
}

/** A Korean noun bears its particle as its last syllable; with two syllables it has none more often. */
function withoutParticle(word: string): string {
  return word.length > 2 ? word.slice(0, -1) : word;
}
