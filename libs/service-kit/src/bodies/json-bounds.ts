/** What a JSON text may hold at most, whatever its schema says. */
export interface JsonBounds {
  /** Objects, lists, strings, numbers, booleans and nulls together. */
  valuesMax: number;
  /** Fields of one object. */
  fieldsMax: number;
  /** Items of one list. */
  itemsMax: number;
  depthMax: number;
}

type JsonSize = { ok: true; values: number } | { ok: false; message: string };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SHORT_STRING_BYTES = 64;

/**
 * Counts what a JSON text in UTF-8 holds before anything is made of it: one pass over the bytes that allocates nothing
 * and ends at the first bound that is exceeded. A text that is not JSON is counted as far as it looks like it; the
 * parser refuses it afterwards. Repeated fields count each time.
 */
export function measureJson(text: Uint8Array, bounds: JsonBounds): JsonSize {
  const { valuesMax, fieldsMax, itemsMax, depthMax } = bounds;
  /** At each level of nesting: what it is, and how many members it has so far. */
  const isObject = new Uint8Array(depthMax + 1);
  const members = new Uint32Array(depthMax + 1);
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case COMMA:
        values += 1;
        members[depth]! += 1;
        if (members[depth]! > (isObject[depth] === 1 ? fieldsMax : itemsMax))
          return { ok: false, message: isObject[depth] === 1 ? tooManyFields(fieldsMax) : tooManyItems(itemsMax) };
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (depth === depthMax) return { ok: false, message: tooDeep(depthMax) };
        depth += 1;
        values += 1;
        members[depth] = 1;
        isObject[depth] = text[at] === OPEN_OBJECT ? 1 : 0;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        // More closed than opened: the parser will say so.
        if (depth === 0) return { ok: true, values };
        depth -= 1;
        break;
    }
    if (values > valuesMax) return { ok: false, message: tooManyValues(valuesMax) };
  }
  return { ok: true, values };
}

export const tooDeep = (max: number) => `is nested more than ${max} deep`;
export const tooManyFields = (max: number) => `has an object with more than ${max} fields`;
export const tooManyItems = (max: number) => `has a list with more than ${max} items`;
export const tooManyValues = (max: number) => `has more than ${max} values`;

/** Position of the quote that ends a string, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start;
  const short = Math.min(text.length, start + SHORT_STRING_BYTES);
  while (at < short) {
    if (text[at] === QUOTE) return at;
    at += text[at] === BACKSLASH ? 2 : 1;
  }
  // A long text without escapes is searched many times as fast.
  let quote = text.indexOf(QUOTE, at);
  if (quote === -1) quote = text.length;
  const escape = text.subarray(at, quote).indexOf(BACKSLASH);
  if (escape === -1) return quote;
  at += escape;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
