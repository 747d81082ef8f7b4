/** English words for numbers. Between these, `parseNumber` reads compounds such as “twenty-five”. */
export const NUMBER_WORDS = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
} as const;

/** Matches one of them; for use in patterns with the flag `i`. Longer words come first where one begins another. */
export const NUMBER_WORD_PATTERN =
  'zero|one|two|three|fourteen|four|five|sixteen|sixty|six|seventeen|seventy|seven|eighteen|eighty|eight|nineteen|ninety|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred';

/** Words that scale the number before them, and their short forms. */
export const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    k: 1e3,
    thousand: 1e3,
    m: 1e6,
    mio: 1e6,
    million: 1e6,
    bn: 1e9,
    billion: 1e9,
    trillion: 1e12,
  }),
);

/** They count as a number only where a pattern expects one: “half an hour”, “a year ago”. */
const SINGLE_WORDS: Readonly<Record<string, number>> = { a: 1, an: 1, half: 0.5 };
const GROUPED_BY_COMMAS = /^\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,12})?$/;
const GROUPED = /^-?\d{1,3}(?:[,'’ \u202f]\d{3})+(?:\.\d+)?$/;

/** The number that a word stands for, or null. */
export function numberWord(word: string): number | null {
  // A pattern with the flags `iu` matches a long s (`ſ`) too, which only NFKC turns into an s.
  return WORDS.get(word.normalize('NFKC').toLowerCase()) ?? null;
}

const WORDS: ReadonlyMap<string, number> = new Map(Object.entries({ ...SINGLE_WORDS, ...NUMBER_WORDS }));

/** The number that a text is: `1,000`, `1.5`, `1,5`, `−3`, `three`, `twenty-five`, `two hundred`. NaN for any other text. */
export function parseNumber(text: string): number {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/(?<![.,])[.,]+$/, '');
  if (/\p{L}/u.test(plain)) return parseWords(plain);
  if (plain === '') return NaN;
  return Number(GROUPED.test(plain) ? plain.replace(/[,'’ \u202f]/g, '') : plain.replace(',', '.'));
}

function parseWords(text: string): number {
  let sum = 0;
  for (const word of text.split(/[- ]/)) {
    const value = numberWord(word);
    if (value === null) return NaN;
    sum = value === NUMBER_WORDS.hundred && sum > 0 ? sum * value : sum + value;
  }
  return sum;
}

/** The form that the ways of writing a figure share: `1,000` is `1000`, `1.50` is `1.5`. Others stay as they are. */
export function canonicalFigure(figure: string): string {
  const plain = GROUPED_BY_COMMAS.test(figure) ? figure.replaceAll(',', '') : figure;
  return /^\d+\.\d+$/.test(plain) ? String(Number(plain)) : plain;
}
