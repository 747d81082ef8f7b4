/** A word, number or sign of a question or a cell. */
export interface TableWord {
  text: string;
  lower: string;
  /** Without the ending of a plural or of a tense. */
  stem: string;
  /** Without the ending that makes a noun of a verb either: `owner` and `owned` share theirs. */
  root: string;
}

const WORD = /[\p{L}\p{N}]+(?:[-.,'’:][\p{L}\p{N}]+)*|[<>=≤≥]+|[€$£%?;,]/gu;
/** A question is short; whatever is longer is read up to here. */
const WORDS_MAX = 200;

export function wordsOf(text: string, max = WORDS_MAX): TableWord[] {
  const words: TableWord[] = [];
  for (const [found] of text.matchAll(WORD)) {
    if (words.length >= max) break;
    // A possessive belongs to the name before it.
    words.push(wordOf(found.replace(/['’]s$/i, '')));
  }
  return words;
}

function wordOf(text: string): TableWord {
  const lower = text.toLowerCase();
  // The plural of an abbreviation: `SKUs`.
  const stem = /^\p{Lu}{2,}s$/u.test(text) ? lower.slice(0, -1) : stemOf(lower);
  return { text, lower, stem, root: rootOf(stem) };
}

/** Words of a column's name: `minutes_down`, `hiredOn` and `Unit price` are two each. */
export function nameWords(name: string): TableWord[] {
  const parted = name.replace(/[_/.()[\]-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return wordsOf(parted).filter(({ lower }) => /[\p{L}\p{N}]/u.test(lower));
}

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    men: 'man',
    women: 'woman',
    children: 'child',
    paid: 'pay',
    took: 'take',
    taken: 'take',
    sold: 'sell',
    made: 'make',
    wrote: 'write',
    written: 'write',
    bought: 'buy',
    cities: 'city',
    born: 'born',
    has: 'have',
    had: 'have',
    left: 'left',
    status: 'status',
    series: 'series',
  }),
);

/** The stem of a lower-case English word: plural and tense are gone. */
function stemOf(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  if (/[aeiouy][^aeiou]{1,4}ed$/.test(word) || /[aeiou]{2}.{1,3}ed$/.test(word)) return undouble(word.slice(0, -2));
  if (/[aeiouy].{1,6}ing$/.test(word) && word.length > 5) return undouble(word.slice(0, -3));
  return word;
}

/** Endings that make one word of another, and how much of it has to be left. */
const ENDINGS = [
  ['ation', 3],
  ['ment', 3],
  ['ance', 3],
  ['er', 3],
  ['or', 3],
  ['ion', 6],
  ['at', 4],
] as const;

/** What a family of words has in common; only good for comparing with another root. */
function rootOf(stem: string): string {
  let root = stem;
  for (const [ending, rest] of ENDINGS) {
    if (root.length - ending.length >= rest && root.endsWith(ending)) {
      root = root.slice(0, -ending.length);
      break;
    }
  }
  root = root.replace(/y$/, 'i');
  return root.length > 3 ? root.replace(/e$/, '') : root;
}

function undouble(text: string): string {
  return /([bdgmnprt])\1$/.test(text) ? text.slice(0, -1) : text;
}

/** A cell or a phrase for comparison: stems with a blank between them. */
export function normalForm(text: string): string {
  return wordsOf(text, 24)
    .filter(({ lower }) => /[\p{L}\p{N}]/u.test(lower))
    .map(({ stem }) => stem)
    .join(' ');
}
