export const NOTHING_FOUND = 'Nothing in this memory answers that.';

/** Words with the white space around them, so that the pieces joined are the text. */
export function piecesOf(text: string): string[] {
  // White space before the first word goes along with that.
  return text.match(/^\s*\S+\s*|\S+\s*/g) ?? [];
}
