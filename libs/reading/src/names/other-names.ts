import type { Name } from './name.ts';

const BRACKETS_MAX_CHARS = 120;
const QUOTES = '"“„«\'‘';

/**
 * Names in brackets that name what stands before them, by their keys: "National Football League (NFL)", by its first
 * letters; "Ostrava (Polish: "Ostrawa", German: "Ostrau")", after a colon or in quotes where a language is named.
 */
export function otherNamesOf(text: string, names: readonly (readonly Name[])[]): Map<string, string> {
  const others = new Map<string, string>();
  for (const sentence of names)
    for (const [i, before] of sentence.entries()) {
      const open = text[before.end] === ' ' ? before.end + 1 : before.end;
      if (text[open] !== '(') continue;
      const inside = text.slice(open, open + BRACKETS_MAX_CHARS);
      const close = open + inside.indexOf(')');
      const colon = open + inside.indexOf(':');
      if (close < open) continue;
      for (let k = i + 1; k < sentence.length && sentence[k]!.end <= close; k++) {
        const name = sentence[k]!;
        const isAcronym = name.start === open + 1 && name.end === close && isAcronymOf(name, before);
        const isTranslated = colon > open && colon < name.start && isAfterColon(text, name.start);
        if ((isAcronym || isTranslated) && name.key !== before.key) others.set(name.key, before.key);
      }
    }
  return others;
}

function isAfterColon(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 3), start).trimEnd();
  return before.endsWith(':') || (before !== '' && QUOTES.includes(before.at(-1)!) && text[start - 1] !== ' ');
}

/** Small words may count: "ROC" is the Republic of China. */
function isAcronymOf(acronym: Name, name: Name): boolean {
  if (acronym.to - acronym.from !== 1 || name.to - name.from < 2) return false;
  const words = name.text.split(/[ -]/u).filter((word) => word !== '');
  const initials = words.map((word) => word[0]!);
  const capitals = initials.filter((letter) => letter !== letter.toLowerCase());
  return capitals.join('').includes(acronym.text) || initials.join('').toUpperCase().includes(acronym.text);
}
