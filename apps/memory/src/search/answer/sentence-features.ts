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

/** What a sentence looks like, whatever is asked. What only some questions ask for is read when the first of them does. */
export class SentenceFeatures {
  /** The stems of the term that a definition begins with; null for other sentences. */
  readonly term: ReadonlySet<string> | null;
  readonly isPointer: boolean;
  readonly isAnaphor: boolean;
  readonly isVersionNote: boolean;
  readonly isQuestion: boolean;
  /** How much of it is neither letters nor numbers, 0 to 1. */
  readonly symbols: number;
  private readonly text: string;
  private readonly language: string;
  private readSteps: boolean | undefined;
  private readReason: boolean | undefined;
  private readDefault: boolean | undefined;
  private readVerbAt: number | undefined;
  private readSubject: ReadonlySet<string> | undefined;
  private readIdentifiers: readonly string[] | undefined;
  private readCounted: ReadonlySet<string> | undefined;

  constructor(text: string, language: string) {
    const term = termOf(text);
    this.text = text;
    this.language = language;
    this.term = term === null ? null : stemsOf(term, language);
    this.isPointer = POINTER.test(text);
    this.isAnaphor = ANAPHOR.test(text);
    this.isVersionNote = VERSION_NOTE.test(text);
    this.isQuestion = text.trimEnd().endsWith('?');
    this.symbols = symbolShare(text);
  }

  get hasDefault(): boolean {
    return (this.readDefault ??= DEFAULT.test(this.text));
  }

  get hasDefaultValue(): boolean {
    return this.hasDefault && DEFAULT_VALUE.test(this.text);
  }

  get hasSteps(): boolean {
    return (this.readSteps ??= STEPS.test(this.text));
  }

  get hasReason(): boolean {
    return (this.readReason ??= REASON.test(this.text));
  }

  /** Where a verb stands that says what something is, near the beginning; -1 when none does. */
  get verbAt(): number {
    return (this.readVerbAt ??= this.text.slice(0, SUBJECT_CHARS).search(IS_A));
  }

  /** The stems of what stands before that verb. */
  get subject(): ReadonlySet<string> {
    return (this.readSubject ??= stemsOf(this.text.slice(0, Math.max(0, this.verbAt)), this.language));
  }

  /** The names of code in it, in lower case. */
  get identifiers(): readonly string[] {
    return (this.readIdentifiers ??= identifiersIn(this.text));
  }

  /** The stems of what it gives numbers of. */
  get counted(): ReadonlySet<string> {
    return (this.readCounted ??= countedIn(this.text, this.language));
  }
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
