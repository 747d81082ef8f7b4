import { isAgent } from '../../text/lexicon.ts';

/** The kind of thing a question asks for; null when its words do not say. */
export type AnswerType = 'number' | 'time' | 'name';

// English, German, French and Spanish: whoever asks in another language is answered by the words alone.
const QUESTIONS: readonly (readonly [kind: AnswerType, words: RegExp])[] = [
  [
    'time',
    /(?<!\p{L})(?:when|how (?:soon|early|late)|(?:what|which) (?:date|day|month|year|time)|wann|quand|cu[áa]ndo)(?!\p{L})/iu,
  ],
  [
    'number',
    /(?<!\p{L})(?:how (?:many|much|long|often|far|old|big|large|high|tall|fast|hot|cold|heavy)|what (?:number|percentage|price|rate|amount)|wie ?viele?|wie (?:lange|oft|weit|alt|gro(?:ß|ss)|hoch|schnell|schwer)|combien|cu[áa]nt[oa]s?)(?!\p{L})/iu,
  ],
  ['name', /(?<!\p{L})(?:who|whom|whose|wer|wen|wem|wessen|qui|qui[ée]n(?:es)?)(?!\p{L})/iu],
];
const NUMBER =
  /\d|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|twice)(?!\p{L})/iu;
const TIME =
  /\d{1,2}:\d{2}|(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)|(?<!\p{L})(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|(?:last|next|this) (?:week|month|year|spring|summer|autumn|winter)|(?:hours?|days?|weeks?|months?|years?) (?:ago|after|before|later|ahead)|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)(?!\p{L})/iu;
const NAME = /(?<=[\p{L}\p{N},;:)]\s{1,4})\p{Lu}[\p{L}\p{M}'’.-]+|^\p{Lu}[\p{L}\p{M}'’.-]+(?=\s{1,4}\p{Lu}\p{L})/gu;

/** Who does things where people work, alone or as one of several, in so far as the lexicon does not know it as an agent. */
const SOMEBODY =
  /^(?:teams?|staff|crews?|boards?|committees?|departments?|desks?|colleagues?|employees?|members?|people|persons?|owners?|engineers?|developers?|programmers?|technicians?|administrators?|managers?|directors?|heads?|chiefs?|leaders?|supervisors?|officers?|secretar(?:y|ies)|assistants?|analysts?|consultants?|advisers?|auditors?|accountants?|lawyers?|judges?|doctors?|nurses?|teachers?|professors?|scientists?|researchers?|authors?|editors?|writers?|founders?|presidents?|ministers?|mayors?|inspectors?|drivers?|guards?|customers?|suppliers?|contractors?|maintainers?|volunteers?|students?)$/;
/** Says of nobody that he is who is asked for. */
const NOBODY = /(?<!\p{L})(?:nobody|no[ -]one|none of|niemand|keiner|personne ne|personne n['’]|nadie)(?!\p{L})/iu;

/** These begin a clause of the question as often as the question itself: “Which encoding is used when none is given?” */
const WHEN = /^(?:when|wann|quand|cu[áa]ndo)$/iu;
const ASKS =
  /(?<!\p{L})(?:who|whom|whose|what|which|where|why|how|wer|wen|wem|welche[rmns]?|wo|warum|wie|qui|que|quel(?:le)?s?|où|pourquoi|comment|qui[ée]n|qu[ée]|cu[áa]l|d[óo]nde|c[óo]mo)(?!\p{L})/iu;

export function expectedAnswerType(question: string): AnswerType | null {
  const found = QUESTIONS.find(([, words]) => {
    const match = words.exec(question);
    return match !== null && !(WHEN.test(match[0]) && ASKS.test(question.slice(0, match.index)));
  });
  return found?.[0] ?? null;
}

/** Whether a text has something of that kind that the question does not say itself. */
export function matchesAnswerType(kind: AnswerType, text: string, question: string): boolean {
  return answerTypeTest(kind, question)(text);
}

/** The same for many texts: whether one has something of that kind that the question does not say itself. */
export function answerTypeTest(kind: AnswerType, question: string): (text: string) => boolean {
  if (kind === 'name') {
    const isPart = (word: string) => !question.toLowerCase().includes(word) && isSomebody(word);
    return (text) =>
      !NOBODY.test(text) && (hasNewName(text, question) || (text.match(/(?<!\p{L})\p{Ll}+/gu) ?? []).some(isPart));
  }
  const pattern = kind === 'time' ? TIME : NUMBER;
  // The numbers that the question has are what it asks about, not what a text states.
  const known = new Set(question.match(/\d+/g));
  if (known.size === 0) return (text) => pattern.test(text);
  return (text) => pattern.test(text.replace(/\d+/g, (figure) => (known.has(figure) ? '' : figure)));
}

/** Whether a text has a name that the question does not say. */
export function hasNewName(text: string, question: string): boolean {
  const known = question.toLowerCase();
  return (text.match(NAME) ?? []).some((name) => !known.includes(name.toLowerCase()));
}

function isSomebody(word: string): boolean {
  return SOMEBODY.test(word) || isAgent(word) || (word.endsWith('s') && isAgent(word.slice(0, -1)));
}
