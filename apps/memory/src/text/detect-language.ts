import { LANGUAGES } from '@cairn/language/languages';
import { isPlain } from './plain-text.ts';

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

/** As `detectLanguage`, or null when the text is too short to decide. */
export function detectConfidently(text: string): string | null {
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
  const base = scores[0]!;
  let best = first;
  let highest = base;
  for (const [at, candidate] of candidates.entries()) {
    const score = scores[at]!;
    if (score >= EVIDENCE_MIN && score > highest && score > base * EVIDENCE_RATIO) {
      best = candidate;
      highest = score;
    }
  }
  return { language: best, evidence: highest };
}

function candidatesFor(sample: string): readonly string[] {
  if (isPlain(sample)) return /[a-zA-Z]/.test(sample) ? SCRIPTS[0]![1] : [];
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

/** Candidates of one script, by their places, that have a word as a stop word; each counts `share`. */
interface StopWordOwners {
  places: readonly number[];
  share: number;
}

const stopWordIndexes = new Map<readonly string[], Map<string, StopWordOwners>>();

/** The stop words of one script's languages; built once per script. */
function stopWordIndex(candidates: readonly string[]): Map<string, StopWordOwners> {
  let index = stopWordIndexes.get(candidates);
  if (index !== undefined) return index;
  const owners = new Map<string, number[]>();
  for (const [place, code] of candidates.entries()) {
    for (const raw of new Set(LANGUAGES.get(code)?.stopWords)) {
      const word = raw.normalize('NFKC').toLowerCase();
      const places = owners.get(word) ?? [];
      if (!places.includes(place)) places.push(place);
      owners.set(word, places);
    }
  }
  index = new Map([...owners].map(([word, places]) => [word, { places, share: 1 / Math.sqrt(places.length) }]));
  stopWordIndexes.set(candidates, index);
  return index;
}

/** Whole words only: hexadecimal ids are full of `a`, `d` and `e`, which are stop words somewhere. */
const WORD = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}]+(?:['’]\p{L}+)?(?![\p{L}\p{M}\p{N}_])/gu;

/** The same for texts without other letters than ASCII's. */
const PLAIN_WORD = /(?<![A-Za-z0-9_])[A-Za-z]+(?:'[A-Za-z]+)?(?![A-Za-z0-9_])/g;

/** By the candidates' places. */
function scoreLanguages(sample: string, candidates: readonly string[]): Float64Array {
  const index = stopWordIndex(candidates);
  const scores = new Float64Array(candidates.length);
  const lower = sample.toLowerCase().replaceAll('’', "'");
  const plain = isPlain(lower);
  for (const word of (lower.match(plain ? PLAIN_WORD : WORD) ?? []).slice(0, SAMPLE_WORDS_MAX)) {
    const owners = index.get(word);
    if (owners !== undefined) for (const place of owners.places) scores[place]! += owners.share;
  }
  if (plain) return scores;
  for (const [language, letters] of LETTERS) {
    const place = candidates.indexOf(language);
    if (place >= 0) scores[place]! += Math.min(lower.match(letters)?.length ?? 0, LETTERS_MAX);
  }
  return scores;
}
