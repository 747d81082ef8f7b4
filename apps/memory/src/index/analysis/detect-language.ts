import { LANGUAGES } from './languages.ts';

const ASCII = /^[\0-\x7f]*$/;

/** For texts whose script has no stemmer here. */
export const UNKNOWN_LANGUAGE = 'und';
export const DEFAULT_LANGUAGE = 'en';

/** Words looked at; a chunk's start says enough. */
const SAMPLE_WORDS_MAX = 200;
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

const SAMPLE_CHARACTERS_MAX = 2_000;

function judge(text: string): { language: string; evidence: number } {
  const sample = text.slice(0, SAMPLE_CHARACTERS_MAX).normalize('NFKC');
  const candidates = candidatesFor(sample);
  const first = candidates[0];
  if (first === undefined) return { language: UNKNOWN_LANGUAGE, evidence: 0 };
  if (candidates.length === 1) return { language: first, evidence: EVIDENCE_MIN };
  const scores = scoreLanguages(sample, candidates);
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
  if (ASCII.test(sample)) return /[a-zA-Z]/.test(sample) ? SCRIPTS[0]![1] : [];
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

/** Candidates of one script that have a word as a stop word; each counts `share`. */
interface StopWordOwners {
  languages: readonly string[];
  share: number;
}

const stopWordIndexes = new Map<string, Map<string, StopWordOwners>>();

/** The stop words of one script's languages; built once per script. */
function stopWordIndex(candidates: readonly string[]): Map<string, StopWordOwners> {
  const key = candidates.join();
  let index = stopWordIndexes.get(key);
  if (index !== undefined) return index;
  const owners = new Map<string, string[]>();
  for (const code of candidates) {
    for (const raw of new Set(LANGUAGES.get(code)?.stopWords)) {
      const word = raw.normalize('NFKC').toLowerCase();
      const languages = owners.get(word) ?? [];
      if (!languages.includes(code)) languages.push(code);
      owners.set(word, languages);
    }
  }
  index = new Map(
    [...owners].map(([word, languages]) => [word, { languages, share: 1 / Math.sqrt(languages.length) }]),
  );
  stopWordIndexes.set(key, index);
  return index;
}

/** Whole words only: hexadecimal ids are full of `a`, `d` and `e`, which are stop words somewhere. */
const WORD = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}]+(?:['’]\p{L}+)?(?![\p{L}\p{M}\p{N}_])/gu;

/** The same for ASCII alone, where classes of Unicode find nothing more and take several times as long. */
const ASCII_WORD = /(?<![A-Za-z0-9_])[A-Za-z]+(?:'[A-Za-z]+)?(?![A-Za-z0-9_])/g;

function scoreLanguages(sample: string, candidates: readonly string[]): Map<string, number> {
  const index = stopWordIndex(candidates);
  const scores = new Map<string, number>();
  const raise = (language: string, by: number) => scores.set(language, (scores.get(language) ?? 0) + by);
  const lower = sample.toLowerCase().replaceAll('’', "'");
  const isAscii = ASCII.test(lower);
  for (const word of (lower.match(isAscii ? ASCII_WORD : WORD) ?? []).slice(0, SAMPLE_WORDS_MAX)) {
    const owners = index.get(word);
    if (owners !== undefined) for (const language of owners.languages) raise(language, owners.share);
  }
  if (isAscii) return scores;
  for (const [language, letters] of LETTERS) {
    if (!candidates.includes(language)) continue;
    const count = Math.min(lower.match(letters)?.length ?? 0, LETTERS_MAX);
    if (count > 0) raise(language, count);
  }
  return scores;
}
