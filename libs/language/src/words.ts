/** A word of a text, as it is written, and its place. */
export interface Word {
  text: string;
  /** In UTF-16 units. */
  start: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

/** The words of a text, unchanged: runs of letters and digits, with the apostrophes and full stops inside of them. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => ({ text: match[0], start: match.index }));
}
