/** What a question wants, as far as its words say; English, because the cues below are. */
type QuestionKind = 'definition' | 'effect' | 'identifier' | 'steps' | 'reason' | 'yesNo' | 'other';

const KINDS: readonly (readonly [kind: QuestionKind, words: RegExp])[] = [
  ['effect', /^what (?:do|does|did) .* (?:do|mean|store|print|return|contain)\W*$/i],
  ['identifier', /^(?:(?:in|from|on|to|under|with|by|at|for) )?(?:which|what) (?!is|are|was|were|do|does|did)[a-z]/i],
  ['identifier', /^what (?:is|are) the names?(?= )/i],
  ['definition', /^(?:what|who) (?:is|are|was|were)(?= )/i],
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

/** Whether a text has a name of code that the question does not say. */
export function hasNewIdentifier(text: string, question: string): boolean {
  const known = question.toLowerCase();
  return text.split(/\s+/).some((raw) => {
    const word = raw.replace(AROUND, '');
    return NAMES.some((name) => name.test(word)) && !known.includes(word.toLowerCase());
  });
}
