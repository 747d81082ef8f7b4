import { LANGUAGES } from './languages.ts';

/** For texts whose script has no stemmer here. */
export const UNKNOWN_LANGUAGE = 'und';
export const DEFAULT_LANGUAGE = 'en';

/** Words looked at; a chunk's start says enough. */
const SAMPLE_WORDS_MAX = 400;
/** Stop words another language needs before a text in Latin letters is not taken for English. */
const EVIDENCE_MIN = 2;
/** How much more of them than English has. */
const EVIDENCE_RATIO = 1.25;

const SCRIPTS: readonly (readonly [script: RegExp, candidates: readonly string[]])[] = [
  [
    /\p{Script=Latin}/gu,
    ['en', 'da', 'nl', 'fi', 'fr', 'de', 'hu', 'id', 'ga', 'it', 'lt', 'no', 'pt', 'ro', 'es', 'sv', 'tr'],
  ],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk', 'bg', 'sr']],
  [/\p{Script=Greek}/gu, ['el']],
  [/\p{Script=Arabic}/gu, ['ar']],
  [/\p{Script=Armenian}/gu, ['hy']],
  [/\p{Script=Devanagari}/gu, ['hi', 'ne']],
  [/\p{Script=Tamil}/gu, ['ta']],
];

/** Letters that only one language of its script has, or few have so often. */
const LETTERS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['uk', /[їієґ]/gu],
  ['sr', /[ђјљњћџ]/gu],
  ['de', /[ßü]/gu],
  ['es', /[ñ¿¡]/gu],
  ['pt', /[ãõ]/gu],
  ['ro', /[țşșă]/gu],
  ['hu', /[őű]/gu],
  ['tr', /[ğışİ]/gu],
  ['lt', /[ėįųūž]/gu],
];
/** Occurrences counted per language, each like one stop word. */
const LETTERS_MAX = 3;

/**
 * The language of a text by its script and, among languages of one script, by its stop words and
 * its own letters; a word that several languages share counts less. Deterministic. English without evidence for another language.
 */
export function detectLanguage(text: string): string {
  return judge(text).language;
}

/** As `detectLanguage`, or null when the text is too short to tell. */
export function detectSurely(text: string): string | null {
  const { language, evidence } = judge(text);
  return evidence >= EVIDENCE_MIN ? language : null;
}

const SAMPLE_CHARACTERS_MAX = 4_000;

function judge(text: string): { language: string; evidence: number } {
  const sample = text.slice(0, SAMPLE_CHARACTERS_MAX).normalize('NFKC');
  const candidates = candidatesFor(sample);
  const first = candidates[0];
  if (first === undefined) return { language: UNKNOWN_LANGUAGE, evidence: 0 };
  if (candidates.length === 1) return { language: first, evidence: EVIDENCE_MIN };
  const scores = scoreLanguages(sample, new Set(candidates));
  const base = scores.get(first) ?? 0;
  let best = first;
  let highest = base;
  for (const candidate of candidates) {
    const score = scores.get(candidate) ?? 0;
    if (score >= EVIDENCE_MIN && score > highest && score > base * EVIDENCE_RATIO) {
      best = candidate;
      highest = score;
    }
  }
  return { language: best, evidence: highest };
}

function candidatesFor(sample: string): readonly string[] {
  if (/^[\0-\x7f]*[a-zA-Z][\0-\x7f]*$/.test(sample)) return SCRIPTS[0]![1];
  let best: readonly string[] = [];
  let most = 0;
  for (const [script, candidates] of SCRIPTS) {
    const count = sample.match(script)?.length ?? 0;
    if (count > most) {
      most = count;
      best = candidates;
    }
  }
  return best;
}

let languagesByWord: Map<string, string[]> | null = null;

function stopWordIndex(): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const language of LANGUAGES.values()) {
    for (const word of new Set(language.stopWords.map((word) => word.normalize('NFKC').toLowerCase()))) {
      index.set(word, [...(index.get(word) ?? []), language.code]);
    }
  }
  return index;
}

function scoreLanguages(sample: string, candidates: ReadonlySet<string>): Map<string, number> {
  languagesByWord ??= stopWordIndex();
  const scores = new Map<string, number>();
  let words = 0;
  const lower = sample.toLowerCase();
  for (const [word] of lower.matchAll(/[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu)) {
    if (++words > SAMPLE_WORDS_MAX) break;
    const languages = languagesByWord.get(word.replace('’', "'"))?.filter((language) => candidates.has(language));
    if (languages === undefined || languages.length === 0) continue;
    const share = 1 / Math.sqrt(languages.length);
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + share);
  }
  for (const [language, letters] of LETTERS) {
    const count = candidates.has(language) ? Math.min(lower.match(letters)?.length ?? 0, LETTERS_MAX) : 0;
    if (count > 0) scores.set(language, (scores.get(language) ?? 0) + count);
  }
  return scores;
}
