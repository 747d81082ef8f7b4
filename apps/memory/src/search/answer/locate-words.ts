/** A place in a text, in UTF-16 units. */
export interface TextSpan {
  start: number;
  end: number;
}

/**
 * Where the pieces, which are in the order of the text and have single spaces for its white space, stand in it: from the
 * beginning of the first to the end of the last. Null when one of them is not there.
 */
export function locateWords(text: string, pieces: readonly string[]): TextSpan | null {
  const { squeezed, offsets } = squeeze(text);
  let from = 0;
  let start: number | null = null;
  for (const piece of pieces) {
    const at = squeezed.indexOf(piece, from);
    if (at === -1 || piece === '') return null;
    start ??= offsets[at]!;
    from = at + piece.length;
  }
  return start === null ? null : { start, end: offsets[from - 1]! + 1 };
}

/** The text with single spaces for its white space, and where each of its units came from. */
function squeeze(text: string): { squeezed: string; offsets: number[] } {
  const offsets: number[] = [];
  let squeezed = '';
  let at = 0;
  for (const part of text.split(/(\s+)/)) {
    const isSpace = part !== '' && part.trim() === '';
    squeezed += isSpace ? ' ' : part;
    for (let unit = 0; unit < (isSpace ? 1 : part.length); unit += 1) offsets.push(at + unit);
    at += part.length;
  }
  return { squeezed, offsets };
}
