import type { Syntax, Token } from '@cairn/reading';
import {
  ABOUT_THE_REPORT,
  ASKING_VERBS,
  COMES_BY_PREPOSITION,
  GREETINGS,
  REPORTING_VERBS,
  DESIRE_VERBS,
  WORKING_VERBS,
} from './request-words.ts';

/** What a sentence of a request is for. */
export interface SentenceKind {
  /** `task`: something to write about; `question`: something to be answered. */
  kind: 'question' | 'task' | 'instruction';
  /** What is asked, without the words that only ask. */
  text: string;
}

const ADVERBS = new Set(
  'please kindly also then finally always only just now first second lastly additionally furthermore moreover and but so well next again otherwise however'.split(
    ' ',
  ),
);
const WH = new Set('what who whom whose which when where why how'.split(' '));
const AUXILIARIES = new Set(
  'is are was were do does did can could will would should has have had may might must shall am'.split(' '),
);
const TOPICAL = new Set(['about', 'on', 'regarding', 'concerning']);
const LEARNING = new Set('know learn understand find see compare get have read hear discover'.split(' '));
const POLITE =
  /^(?:can|could|would|will) you(?: please| kindly)? |^(?:i|we)(?:['’]d| would) like you to |^(?:i|we) (?:want|need) you to /i;

/** Reads what a sentence, or a clause of one, is for. Declarative sentences tell about the asker, so they ask nothing. */
export function sentenceKind(syntax: Syntax, sentence: string): SentenceKind {
  const whole = sentence.trim();
  const wanted = whole.replace(POLITE, '');
  const isPolite = wanted !== whole;
  const text = withoutOpening(isPolite ? wanted.replace(/\?$/, '') : wanted);
  const isBound = /^(?:only|just)\b/i.test(whole);
  const tokens = syntax.parse(text).flatMap((parsed) => parsed.tokens);
  const words = tokens.filter(({ tag, form }) => /[\p{L}\p{N}]/u.test(form) && tag !== 'SYM');
  const instruction: SentenceKind = { kind: 'instruction', text };
  const first = words[0];
  if (first === undefined || words.every(({ lower, tag }) => GREETINGS.has(lower) || tag === 'UH')) return instruction;
  if (WH.has(first.lower)) return { kind: 'question', text };
  if (isNegated(words)) return instruction;
  const asks = /\?\s*$/.test(text) || (AUXILIARIES.has(first.lower) && isSubject(words[1]) && first.lower !== 'do');
  if (asks) return hasContent(words) ? { kind: 'question', text } : instruction;
  if (isImperative(words)) return imperativeKind(words, text);
  if (isBound) return instruction;
  if (
    (first.lower === 'i' || first.lower === 'we') &&
    DESIRE_VERBS.has(words.find(({ tag }) => tag.startsWith('VB') && tag !== 'VBG')?.lemma ?? '')
  )
    return wantingKind(syntax, words, text);
  if (isDeclarative(words)) return instruction;
  if (first.tag === 'IN' && !['on', 'about', 'regarding', 'concerning'].includes(first.lower)) return instruction;
  if (first.lower === 'no' || first.lower === 'without') return instruction;
  return hasContent(words) ? { kind: 'task', text } : instruction;
}

function withoutOpening(sentence: string): string {
  let text = sentence.trim();
  for (;;) {
    const word = /^[\p{L}]+/u.exec(text)?.[0];
    const rest = word === undefined ? '' : text.slice(word.length).replace(/^[\s,]+/, '');
    if (word === undefined || rest === '' || !ADVERBS.has(word.toLowerCase())) return text;
    text = rest;
  }
}

function isSubject(token: Token | undefined): boolean {
  return token !== undefined && /^(?:DT|PRP|NN|JJ|CD|EX)/.test(token.tag);
}

function isNegated([first, second]: readonly Token[]): boolean {
  if (first!.lower === 'never' || first!.lower === "don't" || first!.lower === 'don’t') return true;
  return first!.lower === 'do' && ['not', "n't", 'n’t', 'nt'].includes(second?.lower ?? '');
}

/** Nouns and names that are not about the report or the asker. */
function contentOf(words: readonly Token[]): Token[] {
  return words.filter(
    ({ tag, lower, lemma }) =>
      tag.startsWith('NN') && !ABOUT_THE_REPORT.has(lower) && !ABOUT_THE_REPORT.has(lemma) && !GREETINGS.has(lower),
  );
}

function hasContent(words: readonly Token[]): boolean {
  return contentOf(words).length > 0;
}

function isImperative(words: readonly Token[]): boolean {
  const [first, second] = words as [Token, Token | undefined];
  const known = WORKING_VERBS.has(first.lower) || ASKING_VERBS.has(first.lower);
  const base = first.tag === 'VB' || first.tag === 'VBP';
  if (!known && !base) return false;
  // "Report writers in Oslo" and "Show dates" look alike to no tagger: a known verb before a noun asks.
  if (second === undefined) return base || known;
  if (AUXILIARIES.has(second.lower) || second.tag === 'VBZ' || second.tag === 'VBD') return false;
  return base || !['of', 'and', 'or'].includes(second.lower);
}

function imperativeKind(words: readonly Token[], text: string): SentenceKind {
  const [verb, ...rest] = words as [Token, ...Token[]];
  const instruction: SentenceKind = { kind: 'instruction', text };
  if (WORKING_VERBS.has(verb.lower) || !(hasContent(rest) || rest.some(({ lower }) => WH.has(lower))))
    return instruction;
  const object = rest.filter(({ lower }) => !['me', 'us', 'out', 'up', 'down'].includes(lower));
  const searching = ['look', 'search', 'find'].includes(verb.lower) && object[0]?.lower === 'for';
  const points =
    ['it', 'this', 'that', 'them', 'these'].includes(object[0]?.lower ?? '') && !object[1]?.tag.startsWith('NN');
  if (points && !object.some(({ lower }) => lower === 'about' || WH.has(lower))) return instruction;
  const manner = object[0]?.tag === 'IN' && !['about', 'on', 'into', 'whether', 'if', 'that'].includes(object[0].lower);
  if (manner && !searching && !object.some(({ lower }) => lower === 'about' || WH.has(lower))) return instruction;
  if (!REPORTING_VERBS.has(verb.lower)) return { kind: 'task', text };
  return { kind: 'task', text: topicOf(object, text) };
}

/** What to write about: behind the verb, and behind the name of a kind of report ("a brief about …"). */
function topicOf(object: readonly Token[], text: string): string {
  let from = ['about', 'on', 'for', 'into', 'that'].includes(object[0]!.lower) ? 1 : 0;
  const head = object.findIndex(({ tag }, i) => tag.startsWith('NN') && !object[i + 1]?.tag.startsWith('NN'));
  if (head >= 0 && isAboutTheReport(object[head]!) && !object.slice(0, head).some(({ lower }) => WH.has(lower))) {
    const topical = object.findIndex(({ lower }, i) => i > head && TOPICAL.has(lower));
    const about = object[head + 1]?.lower === 'of' ? head + 1 : topical;
    if (about > 0 && hasContent(object.slice(about))) from = about + 1;
  }
  while (from < object.length - 1 && ['the', 'a', 'an', 'all'].includes(object[from]!.lower)) from += 1;
  return text.slice(object[from]!.start).replace(/(?<![\s.!])[\s.!]+$/, '');
}

function isAboutTheReport({ lower, lemma }: Token): boolean {
  return ABOUT_THE_REPORT.has(lower) || ABOUT_THE_REPORT.has(lemma);
}

function wantingKind(syntax: Syntax, words: readonly Token[], text: string): SentenceKind {
  const verb = words.findIndex(({ tag, lemma }) => tag.startsWith('VB') && DESIRE_VERBS.has(lemma));
  let rest = words.slice(verb + 1);
  while (['for', 'in', 'if', 'at', 'into', 'ing'].includes(rest[0]?.lower ?? '')) rest = rest.slice(1);
  if (rest[0]?.lower === 'to') {
    if (!LEARNING.has(rest[1]?.lower ?? '')) return { kind: 'instruction', text };
    rest = rest.slice(2);
  }
  while (['about', 'out', 'the', 'a', 'an', 'some'].includes(rest[0]?.lower ?? '')) rest = rest.slice(1);
  if (rest[0] === undefined || !(hasContent(rest) || WH.has(rest[0].lower))) return { kind: 'instruction', text };
  const topic = text.slice(rest[0].start).replace(/(?<![\s.!])[\s.!]+$/, '');
  const [about] = syntax.parse(topic);
  return {
    kind: 'task',
    text:
      about === undefined
        ? topic
        : topicOf(
            about.tokens.filter(({ tag }) => tag !== '.'),
            topic,
          ),
  };
}

function isDeclarative(words: readonly Token[]): boolean {
  return words.some(
    ({ label, head }, at) =>
      label.startsWith('nsubj') && head !== -1 && words.slice(at).some(({ tag }) => /^(?:VBZ|VBP|VBD|MD)$/.test(tag)),
  );
}

/** Splits off a last phrase that only says how: "… as a table", "… from my documents". */
export function withoutMannerPhrase(syntax: Syntax, text: string): { text: string; manner: string[] } {
  const manner: string[] = [];
  let left = text;
  for (;;) {
    const tokens = syntax.parse(left).flatMap((parsed) => parsed.tokens);
    const at = tokens.findLastIndex(({ lower }, i) => i > 1 && COMES_BY_PREPOSITION.has(lower));
    if (at === -1) return { text: left, manner };
    const phrase = tokens.slice(at);
    const nouns = phrase.filter(({ tag }) => tag.startsWith('NN'));
    if (nouns.length === 0 || hasContent(phrase) || !hasContent(tokens.slice(0, at))) return { text: left, manner };
    manner.unshift(left.slice(phrase[0]!.start));
    left = left.slice(0, phrase[0]!.start).trimEnd();
  }
}
