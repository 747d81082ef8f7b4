/** What a question wants, as far as its words say; English, because the cues below are. */
type QuestionKind = 'definition' | 'effect' | 'identifier' | 'steps' | 'reason' | 'yesNo' | 'other';

/** “Who is Ada Lovelace?” wants somebody explained, “Who is on call?” and “Who was the keeper?” want somebody named. */
const WHO_IS =
  /^who (?:is|are|was|were) (?!(?:the|an?|our|my|your|their|his|her|its|on|in|at|for|of|to|with|behind|from|responsible|\p{L}+ing|\p{L}+ed)(?!\p{L}))/iu;

const KINDS: readonly (readonly [kind: QuestionKind, words: RegExp])[] = [
  ['effect', /^what (?:do|does|did) .* (?:do|mean|store|print|return|contain)\W*$/i],
  ['identifier', /^(?:(?:in|from|on|to|under|with|by|at|for) )?(?:which|what) (?!is|are|was|were|do|does|did)[a-z]/i],
  ['identifier', /^what (?:is|are) the names?(?= )/i],
  ['definition', /^what (?:is|are|was|were)(?= )/i],
  ['definition', WHO_IS],
  ['steps', /^how (?:do|does|can|could|should|to|would|must)(?= )/i],
  ['reason', /^why(?= )/i],
  ['yesNo', /^(?:is|are|was|were|do|does|did|can|could|may|must|should|has|have|had|will|would)(?= )/i],
];

/** “What is the largest number of columns that a table can have?” asks for no definition. */
const DEFINITION_WORDS_MAX = 7;

export function questionKindOf(question: string): QuestionKind {
  const kind = KINDS.find(([, words]) => words.test(question.trim()))?.[0] ?? 'other';
  const isLong = kind === 'definition' && question.trim().split(/\s+/).length > DEFINITION_WORDS_MAX;
  return isLong ? 'other' : kind;
}

const DEFAULT =
  /(?<!\p{L})(?:by default|defaults?|unless|if not (?:set|given|specified)|when (?:none|nothing|no))(?!\p{L})/iu;

/** Whether a question asks what holds when nothing else is said. */
export function asksForDefault(question: string): boolean {
  return DEFAULT.test(question);
}

/** Signs round a word that do not belong to a name. */
const AROUND = /^["'“”‘’([{<,;:!?]{1,4}|["'“”‘’\]}>,;:!?.]{1,4}$/gu;
/** What a text writes of code: options, paths, names with signs or capitals inside, names in capitals, calls. */
const NAMES: readonly RegExp[] = [
  /^--?[a-z]/,
  /^[.~]?\/[\w.*<]/,
  /^[A-Za-z]\w*[_.:-]\w/,
  /^[a-z]+[A-Z]|^[A-Z][a-z]+[A-Z]/,
  /^[A-Z]{3}[A-Z]*$/,
  /^[A-Za-z_][\w.]*\(/,
];

/** The names of code in a text, in lower case. */
export function identifiersIn(text: string): string[] {
  return text
    .split(/\s+/)
    .map((raw) => raw.replace(AROUND, ''))
    .filter((word) => NAMES.some((name) => name.test(word)))
    .map((word) => word.toLowerCase());
}

/** Whether a text has a name of code that the question does not say. */
export function hasNewIdentifier(text: string, question: string): boolean {
  const known = question.toLowerCase();
  return identifiersIn(text).some((name) => !known.includes(name));
}
