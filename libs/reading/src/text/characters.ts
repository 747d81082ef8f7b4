/** What a UTF-16 unit is to the tokenizer. A half of a surrogate pair counts as what the whole pair is. */
export const OTHER = 0;
export const UPPER = 1;
export const LETTER = 2;
export const DIGIT = 3;
export const SPACE = 4;
export const MARK = 5;

const UNKNOWN = 255;
const classes = new Uint8Array(65_536).fill(UNKNOWN);

function classOf(character: string): number {
  if (/\p{Lu}|\p{Lt}/u.test(character)) return UPPER;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{M}/u.test(character)) return MARK;
  return OTHER;
}

/** The class of the character at a place of the text. Each of the 65,536 units is classified once. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return SPACE;
  if (unit >= 0xd800 && unit <= 0xdfff) return surrogateClass(text, at, unit);
  const known = classes[unit]!;
  if (known !== UNKNOWN) return known;
  return (classes[unit] = classOf(String.fromCharCode(unit)));
}

function surrogateClass(text: string, at: number, unit: number): number {
  const start = unit >= 0xdc00 ? at - 1 : at;
  const point = text.codePointAt(Math.max(0, start)) ?? 0;
  return point > 0xffff ? classOf(String.fromCodePoint(point)) : OTHER;
}

export function isLetter(kind: number): boolean {
  return kind === UPPER || kind === LETTER;
}

export function isWordPart(kind: number): boolean {
  return kind === UPPER || kind === LETTER || kind === DIGIT || kind === MARK;
}

export function startsUpper(form: string): boolean {
  return classAt(form, 0) === UPPER;
}
