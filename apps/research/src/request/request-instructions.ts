import { LANGUAGE_NAME_PATTERN, numberWord } from '@cairn/language';
import { ABOUT_THE_REPORT, EXCLUDING_VERBS } from './request-words.ts';

/** How the work is to be done, read from the sentences that ask nothing. */
export interface RequestInstructions {
  /** `own`: the asker's documents alone. */
  scope: 'own' | 'any';
  length: { most: number; unit: 'words' | 'sentences' | 'paragraphs' | 'pages' | 'points' } | 'short' | 'long' | null;
  /** In English, written small: "german". */
  language: string | null;
  tone: string | null;
  /** What is to be left out, in the asker's words. */
  excluded: string[];
  /** Old versions are to be left out. */
  currentOnly: boolean;
  /** All of them, as they were written. */
  texts: string[];
}

const LENGTH =
  /\b(\d{1,5}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)(?: (?:short|brief|single|or fewer))? (word|sentence|paragraph|page|point|bullet|bullet point)s?\b/i;
const SHORT =
  /\b(?:brief|briefly|short|shortly|concise|concisely|succinct|succinctly|terse|tl;?dr|compact|in a nutshell|keep it simple)\b/i;
const LONG =
  /\b(?:detailed|in detail|in depth|in-depth|thorough|thoroughly|comprehensive|exhaustive|at length|long)\b/i;
const LANGUAGE = new RegExp(
  String.raw`\b(?:in|into|auf) (?:plain |simple |good |formal )?(${LANGUAGE_NAME_PATTERN})\b|\b(${LANGUAGE_NAME_PATTERN}) only\b`,
  'i',
);
const TONE =
  /\b(formal|informal|neutral|friendly|academic|technical|non-technical|simple|plain|professional|critical|sober|casual|objective)\b/i;
const OLD =
  /\b(?:old|older|outdated|superseded|obsolete|previous|earlier|former|past) (?:versions?|figures?|data|documents?|numbers?|values?|editions?|information)\b|\b(?:only|just) (?:the )?(?:current|latest|newest|most recent)\b/i;

export function requestInstructions(texts: readonly string[], ownOnly: boolean): RequestInstructions {
  const all = texts.join('. ');
  const language = LANGUAGE.exec(all);
  return {
    scope: ownOnly ? 'own' : 'any',
    length: lengthOf(all),
    language: (language?.[1] ?? language?.[2])?.toLowerCase() ?? null,
    tone: TONE.exec(all)?.[1]?.toLowerCase() ?? null,
    excluded: texts.flatMap(exclusionIn).filter(namesSomething),
    currentOnly: OLD.test(all),
    texts: [...texts],
  };
}

function lengthOf(text: string): RequestInstructions['length'] {
  const counted = LENGTH.exec(text);
  if (counted !== null) {
    const number = counted[1]!.toLowerCase();
    const unit = counted[2]!.toLowerCase();
    const most = numberWord(number) ?? Number(number);
    return { most, unit: unit.startsWith('bullet') || unit === 'point' ? 'points' : (`${unit}s` as 'words') };
  }
  if (SHORT.test(text)) return 'short';
  return LONG.test(text) ? 'long' : null;
}

/** "The web" and "speculation" are about the work, not about what is left out of the report. */
function namesSomething(excluded: string): boolean {
  return excluded
    .split(' ')
    .some((word) => word.length > 3 && !ABOUT_THE_REPORT.has(word.toLowerCase().replace(/s$/, '')));
}

function exclusionIn(text: string): string[] {
  const [verb, ...rest] = text.replace(/(?<![.!?])[.!?]+$/, '').split(' ');
  const first = verb?.toLowerCase() ?? '';
  const after = rest.join(' ');
  if (EXCLUDING_VERBS.has(first))
    return [after.replace(/^(?:out|from|of|the)\s+/i, '').trim()].filter((one) => one !== '');
  if (first === 'no' || first === 'without') return [after.split(',', 1)[0]!.trim()].filter((one) => one !== '');
  const spared =
    /^(?:do not|don['’]t|never) (?:mention|include|use|cite|discuss|cover|list|talk about|write about) (.+)$/i.exec(
      text.replace(/(?<![.!?])[.!?]+$/, ''),
    );
  return spared === null ? [] : [spared[1]!];
}
