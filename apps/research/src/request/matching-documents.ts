import { MONTHS, wordsOf } from '@cairn/language';
import { stemOf, stemsOf } from '../text/words.ts';

/** Several documents that a prompt may be about by their titles, when it only names a topic. */
export interface MatchingDocuments {
  choices: string[];
}

const TOPIC_MAX_WORDS = 2;
const CHOICES_MAX = 4;
const QUESTION =
  /\?\s*$|^\W*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|has|have)\b/i;

/** The documents that a prompt may be about, by their titles; null for one that can be worked on as it is. */
export function matchingDocuments(prompt: string, titles: readonly string[]): MatchingDocuments | null {
  const stems = new Set(stemsOf(prompt));
  if (!isTopic(prompt)) return null;
  const choices = new Map<string, string>();
  for (const title of titles) {
    const own = stemsOf(title);
    if (![...stems].every((stem) => own.includes(stem))) continue;
    const rest = own.filter((stem) => !stems.has(stem) && !isDate(stem));
    // The title says the topic and nothing else: that is what is meant.
    if (rest.length === 0) return null;
    // Documents that differ by their date only are one: the newest holds.
    const key = rest.toSorted().join(' ');
    if (!choices.has(key)) choices.set(key, title);
  }
  return choices.size < 2 ? null : { choices: [...choices.values()].slice(0, CHOICES_MAX) };
}

/** Whether a prompt only names a topic, so that several documents may be meant. */
export function isTopic(prompt: string): boolean {
  const stems = new Set(stemsOf(prompt));
  return stems.size > 0 && stems.size <= TOPIC_MAX_WORDS && !QUESTION.test(prompt);
}

const MONTH_STEMS = new Set(MONTHS.map(stemOf));

function isDate(stem: string): boolean {
  return /\d/.test(stem) || MONTH_STEMS.has(stem) || /^(?:v|version|draft|archive|superseded)$/.test(stem);
}

const ALL = /^\W*(?:all|both|any|every|either|everything|all of (?:them|these|it))(?:\W+of (?:them|these))?\W*$/i;
const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** The choices that an answer takes, in the words of the question; all of them when it takes none in particular. */
export function choicesTaken(answer: string, choices: readonly string[]): string[] {
  if (ALL.test(answer)) return [...choices];
  const { wanted, unwanted } = partsOf(answer, choices);
  const excluded = choicesNamed(unwanted, choices);
  // What it does not want is none of the choices.
  const named = choicesNamed(excluded.length === 0 ? answer : wanted, choices);
  const open = choices.filter((choice) => !excluded.includes(choice));
  const taken = open.filter((choice) => named.includes(choice));
  if (taken.length > 0) return taken;
  return open.length > 0 ? open : [...choices];
}

const EXCLUDES =
  /\b(?:except|excluding|but|not|without|other than|apart from|rather than|instead of)\b|[.;:!?](?:\s|$)|,/gi;
const UNIVERSAL = /\b(?:all|both|any|every|anything|everything|anyone|everyone)\b/i;

/** An answer apart into what it wants and what it does not want: “all but the first”, “not this but that”. */
function partsOf(answer: string, choices: readonly string[]): { wanted: string; unwanted: string } {
  const parts = { wanted: '', unwanted: '' };
  // “What is not supported?” excludes nothing, and neither does a title that says “without”.
  if (QUESTION.test(answer) || choices.some((choice) => /\b(?:except|but|not|without|than)\b/i.test(choice)))
    return { wanted: answer, unwanted: '' };
  let side: keyof typeof parts = 'wanted';
  let from = 0;
  let last = '';
  for (const { 0: mark, index } of answer.matchAll(EXCLUDES)) {
    parts[side] += ` ${answer.slice(from, index)}`;
    from = index + mark.length;
    const word = mark.trim().toLowerCase();
    if (word === 'but') side = UNIVERSAL.test(parts.wanted) ? 'unwanted' : 'wanted';
    // A list goes on after a comma, what is only denied does not: “not the first, the second”.
    else if (word === ',') side = last === 'not' ? 'wanted' : side;
    else side = /^[a-z]/.test(word) ? 'unwanted' : 'wanted';
    last = word === ',' ? last : word;
  }
  parts[side] += ` ${answer.slice(from)}`;
  return parts;
}

function choicesNamed(answer: string, choices: readonly string[]): string[] {
  const spaced = (text: string) =>
    ` ${wordsOf(text.toLowerCase())
      .map((word) => word.text)
      .join(' ')} `;
  const said = spaced(answer);
  const taken = choices.filter(
    (choice, at) => said.includes(spaced(choice)) || said === ` ${at + 1} ` || said.includes(` ${ORDINALS[at]} `),
  );
  if (taken.length > 0) return taken;
  // In other words: the choice of which it says what sets it apart.
  const stems = new Set(stemsOf(answer));
  return choices.filter((choice) =>
    stemsOf(choice).some(
      (stem) => stems.has(stem) && choices.every((other) => other === choice || !stemsOf(other).includes(stem)),
    ),
  );
}
