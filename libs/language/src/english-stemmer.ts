import { englishBaseForm } from './english-irregular-forms.ts';

/** The stem of an English word in lower case, or of the word it is a form of: `mice` and `mouse` share theirs. */
export function stemEnglish(word: string): string {
  return stemPorter2(englishBaseForm(word));
}

/**
 * Snowball's English stemmer (Porter2, https://snowballstem.org/algorithms/english/stemmer.html), the one
 * PostgreSQL has. @orama/stemmers' English is the older Porter stemmer with a slip in its rule for `-ion`.
 */
export function stemPorter2(word: string): string {
  if (word.length <= 2 || !/^[a-z']+$/.test(word)) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  let stem = markConsonantY(word.replace(/^'/, ''));
  const r1 = firstRegion(stem);
  const r2 = regionAfter(stem, r1);
  stem = stem.replace(/'s'$|'s$|'$/, '');
  stem = dropPlural(stem);
  if (KEPT_AFTER_PLURAL.has(stem)) return stem;
  stem = dropTense(stem, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = replaceSuffix(stem, r1, r2, STEP_2);
  stem = replaceSuffix(stem, r1, r2, STEP_3);
  stem = dropSuffix(stem, r2);
  return dropFinal(stem, r1, r2).replaceAll('Y', 'y');
}

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
const KEPT_AFTER_PLURAL = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);
const VOWEL = /[aeiouy]/;
/** A vowel between consonants other than w, x and Y, or a vowel that starts the word, at the end of it. */
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

function markConsonantY(word: string): string {
  return word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
}

function firstRegion(word: string): number {
  return /^(?:gener|commun|arsen)/.exec(word)?.[0].length ?? regionAfter(word, 0);
}

/** After the first consonant that follows a vowel at or after `from`. */
function regionAfter(word: string, from: number): number {
  const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return match === null ? word.length : from + match.index + 2;
}

function dropPlural(stem: string): string {
  if (stem.endsWith('sses')) return stem.slice(0, -2);
  if (/ie[ds]$/.test(stem)) return stem.length > 4 ? stem.slice(0, -2) : stem.slice(0, -1);
  if (/(?:us|ss)$/.test(stem)) return stem;
  // A vowel before the letter that the `s` stands after.
  return stem.endsWith('s') && /[aeiouy]/.test(stem.slice(0, -2)) ? stem.slice(0, -1) : stem;
}

function dropTense(stem: string, r1: number): string {
  const agreed = /(?:eed|eedly)$/.exec(stem);
  if (agreed !== null) return agreed.index >= r1 ? `${stem.slice(0, agreed.index)}ee` : stem;
  const match = /(?:ed|edly|ing|ingly)$/.exec(stem);
  if (match === null || !VOWEL.test(stem.slice(0, match.index))) return stem;
  const rest = stem.slice(0, match.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && SHORT_SYLLABLE.test(rest) ? `${rest}e` : rest;
}

/** Suffix, what takes its place, and what must stand before it, longest first; `R2` asks for the second region. */
type Rule = readonly [suffix: string, replacement: string, before?: RegExp | 'R2'];

const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
];
const STEP_3: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', '', 'R2'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

function replaceSuffix(stem: string, r1: number, r2: number, rules: readonly Rule[]): string {
  for (const [suffix, replacement, before] of rules) {
    if (!stem.endsWith(suffix)) continue;
    const start = stem.length - suffix.length;
    const region = before === 'R2' ? r2 : r1;
    if (start < region || (before instanceof RegExp && !before.test(stem.slice(0, start)))) return stem;
    return stem.slice(0, start) + replacement;
  }
  return stem;
}

const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function dropSuffix(stem: string, r2: number): string {
  const match = STEP_4.exec(stem);
  if (match === null || match.index < r2) return stem;
  if (match[0] === 'ion' && !/[st]$/.test(stem.slice(0, match.index))) return stem;
  return stem.slice(0, match.index);
}

function dropFinal(stem: string, r1: number, r2: number): string {
  const rest = stem.slice(0, -1);
  if (stem.endsWith('e')) return rest.length >= r2 || (rest.length >= r1 && !SHORT_SYLLABLE.test(rest)) ? rest : stem;
  return stem.endsWith('ll') && rest.length >= r2 ? rest : stem;
}
