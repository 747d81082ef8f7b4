export const NOTHING_FOUND = 'Nothing in this memory answers that.';

/** Characters of scripts that are written without spaces. */
const PIECE =
  /(?:^\s+)?(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,6}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)\s*/gu;

/** Words with the white space around them, a few characters where none is written, so that the pieces joined are the text. */
export function piecesOf(text: string): string[] {
  // White space before the first word goes along with that.
  return text.match(PIECE) ?? [];
}
