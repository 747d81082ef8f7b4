const ASCII = /^[\0-\x7f]*$/;
/** Scripts in which marks are accents. In others (Devanagari, Tamil, …) marks are vowels and stay. */
const ACCENTED_SCRIPT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ı: 'i',
    ё: 'е',
    ـ: '',
  }),
);
const SPECIAL = /[ßæœøđðþłıёـ]/g;

/** The word without accents: `café` is `cafe`, `Straße` is `strasse`. One rule for texts and queries. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word;
  const letters = word.replace(SPECIAL, (letter) => LETTERS.get(letter) ?? letter);
  return ACCENTED_SCRIPT.test(letters)
    ? letters
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFC')
    : letters;
}
