import { stemsOf } from '../../text/analyse.ts';

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
}

export function sentenceSigns(text: string, language: string): SentenceSigns {
  const term = termOf(text);
  const hasDefault = DEFAULT.test(text);
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
    verbAt: text.slice(0, SUBJECT_CHARS).search(IS_A),
    symbols: symbolShare(text),
  };
}

function termOf(text: string): string | null {
  const end = text.indexOf(': ');
  if (end > 0 && end <= TERM_MAX_CHARS && !/[.!?]\s/.test(text.slice(0, end))) return text.slice(0, end);
  const dash = text.search(/\s(?:--?|–|—)\s/);
  return dash > 0 && dash <= DASHED_TERM_MAX_CHARS ? text.slice(0, dash) : null;
}

function symbolShare(text: string): number {
  const signs = text.match(/[^\p{L}\p{N}\s.,]/gu)?.length ?? 0;
  return Math.min(1, (3 * signs) / Math.max(1, text.length));
}
