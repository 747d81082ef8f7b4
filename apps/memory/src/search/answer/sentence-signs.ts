import { analyseQuery, stemsOf } from '../../text/analyse.ts';
import { identifiersIn } from './question-kind.ts';

const TERM_MAX_CHARS = 160;
/** A dash is no colon: what stands before it must be short to be a term. */
const DASHED_TERM_MAX_CHARS = 60;
const SUBJECT_CHARS = 100;
const POINTER =
  /(?<!\p{L})(?:see|(?:is|are) (?:described|explained|listed|given|found) (?:in|on|at|under|below|above)|for (?:more|details|further))(?!\p{L})/iu;
const ANAPHOR =
  /^(?:it|its|he|his|she|her|they|their|these|those|this|that|such|both|then|there|however|therefore|thus|also|instead|otherwise)(?!\p{L})/iu;
const VERSION_NOTE = /^(?:changed|new|added|deprecated|removed) (?:in|since)(?!\p{L})/iu;
const DEFAULT = /(?<!\p{L})defaults?(?!\p{L})/iu;
const DEFAULT_VALUE =
  /(?<!\p{L})(?:defaults? (?:value )?(?:is|are|of|to|size)|by default|\(default|default:|is the default)(?!\p{L})/iu;
const STEPS = /(?<!\p{L})(?:use|using|you can|run|set|call|add|specify|pass|with the|by|to)(?!\p{L})/iu;
const REASON = /(?<!\p{L})(?:because|since|so that|in order to|due to|therefore|reason)(?!\p{L})/iu;
const IS_A = /(?<!\p{L})(?:is|are|was|were|means|refers to|consists of|contains)(?!\p{L})/iu;

/** A number and the two words behind it. */
const NUMBERED =
  /(?<![\p{L}\p{N}])(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand)\s+([\p{L}-]+)(?:\s+([\p{L}-]+))?/giu;

/** What a sentence looks like, whatever is asked. */
export interface SentenceSigns {
  /** The stems of the term that a definition begins with; null for other sentences. */
  term: ReadonlySet<string> | null;
  isPointer: boolean;
  isAnaphor: boolean;
  isVersionNote: boolean;
  isQuestion: boolean;
  hasDefault: boolean;
  hasDefaultValue: boolean;
  hasSteps: boolean;
  hasReason: boolean;
  /** Where a verb stands that says what something is, near the beginning; -1 when none does. */
  verbAt: number;
  /** How much of it is neither letters nor numbers, 0 to 1. */
  symbols: number;
  /** The stems of what stands before that verb. */
  readonly subject: ReadonlySet<string>;
  /** The names of code in it, in lower case. */
  readonly identifiers: readonly string[];
  /** The stems of what it gives numbers of. */
  readonly counted: ReadonlySet<string>;
}

/** What few questions ask for is read when the first of them does. */

export function sentenceSigns(text: string, language: string): SentenceSigns {
  const term = termOf(text);
  const hasDefault = DEFAULT.test(text);
  const verbAt = text.slice(0, SUBJECT_CHARS).search(IS_A);
  let subject: ReadonlySet<string> | undefined;
  let identifiers: readonly string[] | undefined;
  let counted: ReadonlySet<string> | undefined;
  return {
    term: term === null ? null : stemsOf(term, language),
    isPointer: POINTER.test(text),
    isAnaphor: ANAPHOR.test(text),
    isVersionNote: VERSION_NOTE.test(text),
    isQuestion: text.trimEnd().endsWith('?'),
    hasDefault,
    hasDefaultValue: hasDefault && DEFAULT_VALUE.test(text),
    hasSteps: STEPS.test(text),
    hasReason: REASON.test(text),
    verbAt,
    symbols: symbolShare(text),
    get subject() {
      return (subject ??= stemsOf(text.slice(0, Math.max(0, verbAt)), language));
    },
    get identifiers() {
      return (identifiers ??= identifiersIn(text));
    },
    get counted() {
      return (counted ??= countedIn(text, language));
    },
  };
}

function termOf(text: string): string | null {
  const end = text.indexOf(': ');
  if (end > 0 && end <= TERM_MAX_CHARS && !/[.!?]\s/.test(text.slice(0, end))) return text.slice(0, end);
  const dash = text.search(/\s(?:--?|–|—)\s/);
  return dash > 0 && dash <= DASHED_TERM_MAX_CHARS ? text.slice(0, dash) : null;
}

function countedIn(text: string, language: string): Set<string> {
  const stems = new Set<string>();
  for (const [, ...words] of text.matchAll(NUMBERED))
    for (const word of words) {
      const [stem] = word === undefined ? [] : analyseQuery(word, language);
      if (stem !== undefined) stems.add(stem);
    }
  return stems;
}

function symbolShare(text: string): number {
  const signs = text.match(/[^\p{L}\p{N}\s.,]/gu)?.length ?? 0;
  return Math.min(1, (3 * signs) / Math.max(1, text.length));
}
