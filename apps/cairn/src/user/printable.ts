import { stripVTControlCharacters } from 'node:util';

/** A text from elsewhere on one line, without what would steer the terminal. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** Its first characters, and a sign that there are more. */
export function clipped(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1).trimEnd()}…` : text;
}

/** A text from elsewhere without what would steer the terminal. */
export function printable(text: string): string {
  // Control characters are what is taken out.
  // oxlint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
