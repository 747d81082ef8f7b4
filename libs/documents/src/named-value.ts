/** A value in a text, and what the document calls it: screening recognises by the name what the value is. */
export interface NamedValue {
  /** From the outermost name to the value's own: keys, elements, the column. A cell of an unnamed column has none. */
  names: readonly string[];
  start: number;
  end: number;
  /** Values of one row, object or element of a text have the same number. */
  record: number;
}

/** A text with the values in it that have names. */
export interface NamedText {
  text: string;
  values: readonly NamedValue[];
}

export function plain(text: string): NamedText {
  return { text, values: [] };
}

/** A text that is one value, known by each of the names. */
export function named(text: string, names: readonly (readonly string[])[], record: number): NamedText {
  return { text, values: names.map((path) => ({ names: path, start: 0, end: text.length, record })) };
}

export function joined(pieces: readonly NamedText[], separator: string): NamedText {
  const values: NamedValue[] = [];
  let at = 0;
  for (const piece of pieces) {
    for (const value of piece.values) values.push({ ...value, start: value.start + at, end: value.end + at });
    at += piece.text.length + separator.length;
  }
  return { text: pieces.map(({ text }) => text).join(separator), values };
}

/** The part of a text from `start` to `end`. */
function partOf({ text, values }: NamedText, start: number, end: number): NamedText {
  return {
    text: text.slice(start, end),
    values: values.flatMap((value) => {
      const [from, to] = [Math.max(value.start, start), Math.min(value.end, end)];
      return from < to ? [{ ...value, start: from - start, end: to - start }] : [];
    }),
  };
}

export function trimmed(piece: NamedText): NamedText {
  const text = piece.text.trim();
  if (text.length === piece.text.length) return piece;
  const start = piece.text.length - piece.text.trimStart().length;
  return partOf(piece, start, start + text.length);
}
