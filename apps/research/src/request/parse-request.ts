import { cutText } from '@cairn/language';
import { createReader, createSyntax, type Reader, type ReadingModel, type Syntax } from '@cairn/reading';
import { sourceScopeOf } from './source-phrases.ts';
import { stemsOf } from '../text/words.ts';
import { clausesOf } from './clauses.ts';
import { markedParts } from './numbered-parts.ts';
import { ABOUT_THE_REPORT } from './request-words.ts';
import { type RequestedFormat, requestedFormat, withoutColumns } from './requested-format.ts';
import { type RequestInstructions, requestInstructions } from './request-instructions.ts';
import { type SentenceKind } from './sentence-kind.ts';
import { type TimeFrame, timeFrameOf } from './time-frame.ts';
import { type CompletedPrompt, completedPrompt } from './completed-prompt.ts';
import { type MissingContext, missingContextOf } from './missing-context.ts';

/** One thing that is to be answered. */
export interface RequestedQuestion {
  /** In the asker's words, without those that only ask; a heading. */
  text: string;
  /** Names its subject, so that it can be looked up by itself. */
  query: string;
  /** The things that it lists, each of which can be looked up: of "products, prices and plans" three. */
  aspects: string[];
}

/** A request, taken apart. */
export interface ParsedRequest {
  /** What all questions are about, if the request says so: names, else "". */
  subject: string;
  questions: RequestedQuestion[];
  instructions: RequestInstructions;
  format: RequestedFormat;
  /** Proper names. */
  entities: string[];
  timeFrame: TimeFrame | null;
}

const QUESTIONS_MAX = 12;
const PROMPT_MAX_CHARS = 20_000;

interface RequestReader {
  understand(prompt: string, answer?: string): ParsedRequest;
  /** What the prompt leaves unsaid, so that its asker is to be asked. */
  unsaid(prompt: string): MissingContext | null;
  /** The prompt with what was unsaid, and what else the answer says. */
  complete(prompt: string, unsaid: MissingContext, answer: string): CompletedPrompt;
}

/** A reader of requests, made once for a process. */
export function createRequestReader(model: ReadingModel): RequestReader {
  const syntax = createSyntax(model);
  const reader = createReader(model);
  const known = { syntax, reader, lexicon: model.lexicon };
  return {
    understand: (prompt, answer) => understandRequest({ syntax, reader }, prompt, answer),
    unsaid: (prompt) => missingContextOf(known, prompt),
    complete: (prompt, unsaid, answer) => completedPrompt(known, prompt, unsaid, answer),
  };
}

/**
 * Takes a request apart by the sentence: what asks, what says how, in which form. `answer` is what the asker said to a
 * clarification: it narrows what the request asks.
 */
function understandRequest(
  { syntax, reader }: { syntax: Syntax; reader: Reader },
  prompt: string,
  answer = '',
): ParsedRequest {
  const whole = cutText(prompt, PROMPT_MAX_CHARS)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
  const { lead, parts, tail } = markedParts(withoutColumns(whole));
  const around = [...sentencesOf(syntax, lead), ...sentencesOf(syntax, tail)].flatMap((one) => clausesOf(syntax, one));
  const inParts = parts.map((part) => sentencesOf(syntax, part).flatMap((one) => clausesOf(syntax, one)));
  const answered = answer === '' ? [] : sentencesOf(syntax, answer).flatMap((one) => clausesOf(syntax, one));
  const entities = entitiesOf(reader, `${whole}\n${answer}`);
  const asked = around.filter(({ kind }) => kind !== 'instruction');
  const tasks = asked.filter(({ kind }) => kind === 'task').map(({ text }) => clean(text));
  const subject = subjectOf(parts.length > 0 ? tasks : [], entities);
  const questions =
    parts.length > 0
      ? [
          ...inParts.flatMap((clauses, i) => partOf(clauses, parts[i]!, subject)),
          ...asked.filter(({ kind }) => kind === 'question').map(({ text }) => questionOf(clean(text), subject)),
        ]
      : asked.map(({ text }) => questionOf(clean(text), ''));
  const instructions = [...around, ...inParts.flat(), ...answered].filter(({ kind }) => kind === 'instruction');
  const own = sourceScopeOf(`${prompt}\n${answer}`) === 'own';
  return {
    subject,
    questions: narrowed(complete(questions, whole, entities), answered),
    instructions: requestInstructions(
      instructions.map(({ text }) => clean(text)),
      own,
    ),
    format: requestedFormat(whole, parts.length),
    entities,
    timeFrame: timeFrameOf(`${whole}\n${answer}`),
  };
}

function sentencesOf(syntax: Syntax, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => syntax.parse(line).map(({ start, end }) => line.slice(start, end).trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function clean(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s;.,])[\s;.,]+$/, '')
    .trim();
}

function entitiesOf(reader: Reader, text: string): string[] {
  const names = reader.read(text).names.map(({ text: name }) => name);
  return [...new Set(names)].filter((name) => !ABOUT_THE_REPORT.has(name.toLowerCase())).slice(0, 20);
}

function subjectOf(tasks: readonly string[], entities: readonly string[]): string {
  const named = entities.filter((entity) => tasks.some((task) => task.includes(entity)));
  if (named.length > 0) return [...new Set(named)].join(' ');
  return tasks[0] ?? '';
}

/** A marked part: what it asks, if anything; one that only says how is an instruction. */
function partOf(clauses: readonly SentenceKind[], part: string, subject: string): RequestedQuestion[] {
  const asked = clauses.filter(({ kind }) => kind !== 'instruction').map(({ text }) => clean(text));
  // A word alone is a topic, though it may be a verb: "(a) leave".
  if (asked.length === 0) return /^[\p{L}-]+$/u.test(clean(part)) ? [questionOf(clean(part), subject)] : [];
  const [text, ...more] = asked.length === 1 && asked[0]!.length > part.length / 2 ? [asked[0]!] : asked;
  const question = questionOf(asked.length > 1 ? asked.join(', ') : text!, subject);
  return [more.length === 0 ? question : { ...question, aspects: asked.map((one) => withSubject(one, subject)) }];
}

function questionOf(text: string, subject: string): RequestedQuestion {
  const isQuestion =
    text.endsWith('?') ||
    /^(?:what|who|whom|whose|which|when|where|why|how|is|are|do|does|did|can|was|were|has|have)\b/i.test(text);
  return {
    text: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`,
    query: withSubject(text, subject),
    aspects: isQuestion ? [] : aspectsOf(text).map((item) => withSubject(item, subject)),
  };
}

/** The things that a topic lists; a range ("2021 and 2023") is no list. */
function aspectsOf(text: string): string[] {
  const colon = text.indexOf(': ');
  const listed = (colon === -1 ? text : text.slice(colon + 2)).replace(/^(?:compare|contrast) /i, '');
  const items = listed
    .split(/, (?:and )?| and | versus | vs\.? /)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length < 2 || items.some((item) => stemsOf(item).every((stem) => /^\d/.test(stem)))) return [];
  const about = colon === -1 ? '' : text.slice(0, colon);
  return items.map((item) => (about === '' ? item : `${about}: ${item}`));
}

function withSubject(text: string, subject: string): string {
  return subject === '' || text.includes(subject) ? text : `${subject}: ${text}`;
}

const PRONOUN = /\b(?:it|its|they|their|them|this|that|these|those|he|she|his|her|him)\b/i;

/** Drops repetitions, and gives questions that only point ("Where is it made?") the subject of what came before. */
function complete(
  questions: readonly RequestedQuestion[],
  whole: string,
  entities: readonly string[],
): RequestedQuestion[] {
  const found: RequestedQuestion[] = [];
  for (const question of questions) {
    if (found.length >= QUESTIONS_MAX) break;
    const stems = stemsOf(question.text).join(' ');
    const bare = stems === '' && /^(?:when|where|who|why|how)\b/i.test(question.text);
    if (stems === '' && !bare && !PRONOUN.test(question.text)) continue;
    if (found.some((known) => stemsOf(known.text).join(' ') === stems)) continue;
    const named = entities.some((entity) => question.query.includes(entity));
    const first = found[0];
    const points = bare || PRONOUN.test(question.text);
    const subject = first === undefined ? entities.join(' ') : subjectWords(first.text, entities);
    const lean = points && !named && subject !== '';
    found.push(lean ? { ...question, query: `${question.query} (${subject})` } : question);
  }
  if (found.length > 0) return found;
  return stemsOf(whole).length === 0 ? [] : [questionOf(clean(whole.split('\n', 1)[0]!), '')];
}

/** The names in a question, else the question. */
function subjectWords(text: string, entities: readonly string[]): string {
  const named = entities.filter((entity) => text.includes(entity));
  return named.length > 0 ? named.join(' ') : text.replace(/\?$/, '');
}

/** What the asker answered narrows every question that has no more to it than its subject, and else comes first. */
function narrowed(questions: RequestedQuestion[], answered: readonly SentenceKind[]): RequestedQuestion[] {
  const said = answered.filter(({ kind }) => kind !== 'instruction').map(({ text }) => clean(text));
  if (said.length === 0) return questions;
  const about = questions.map(({ text }) => text).join(', ');
  return said.map((text) => {
    const question = questionOf(text, '');
    return { ...question, query: about === '' ? text : `${text} (${about})` };
  });
}
