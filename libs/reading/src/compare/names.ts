import { classAt, isWordPart, MARK } from '../text/characters.ts';

const ARTICLES = new Set(['the', 'a', 'an']);
const LEGAL_FORMS = new Set(
  'inc ltd llc plc corp corporation co company gmbh ag sa nv bv oy ab limited incorporated'.split(' '),
);

/** The words of a name, folded: no marks, no case, no articles, no possessive ending. */
export function nameWords(name: string): string[] {
  const folded = name.normalize('NFKD').toLowerCase();
  const words: string[] = [];
  let word = '';
  const close = () => {
    if (word !== '' && !ARTICLES.has(word)) words.push(word);
    word = '';
  };
  for (let i = 0; i < folded.length; i++) {
    const kind = classAt(folded, i);
    if (kind === MARK) continue;
    if (isWordPart(kind)) word += folded[i];
    else {
      close();
      const possessive = (folded[i] === "'" || folded[i] === '’') && folded[i + 1] === 's';
      if (possessive && !isWordPart(classAt(folded, i + 2))) i++;
    }
  }
  close();
  return words;
}

/** What names of one thing share: its words without the legal form. */
export function nameKey(name: string): string {
  const words = nameWords(name);
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1)!)) words.pop();
  return words.join(' ');
}

/** One name is the other, or is a run of its words. */
export function sameName(a: string, b: string): boolean {
  const one = nameKey(a);
  const other = nameKey(b);
  if (one === '' || other === '') return false;
  return ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
}
