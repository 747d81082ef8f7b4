import { type Attribute, requestedAttribute, isAttributeName } from './attributes.ts';

/** A column that a prompt asks for. */
export interface RequestedColumn {
  /** As it is asked for: "date of birth". */
  name: string;
  /** What it shows, by the words of a known attribute; null for others, which are looked up by their words. */
  attribute: Attribute | null;
}

const SEPARATOR = /,? (?:and|with|including|plus|along with|together with|as well as|showing)\b|[,;:]/giu;
const THEIR = /^(?:their|its|his|her|the columns?|columns?|for each)\b:? ?/i;
/** A clause about those asked for: "what they discovered", "the team they coached". */
const OF_THEM = /^(?:what|where|when|(?:which |the |an? )?\p{L}+) (?:they|he|she|it) \p{L}+/iu;
const PARTS = /,? and |, ?|; ?| & | plus /;
const COLUMNS_MAX = 12;
const NAME_MAX = 60;

/** The columns that a prompt ends with, and the prompt without them. */
export function requestedColumns(prompt: string): { columns: RequestedColumn[]; rest: string } {
  const plain = prompt.trim().replace(/(?<![.?!])[.?!]+$/, '');
  for (const { index, 0: separator } of plain.matchAll(SEPARATOR)) {
    const columns = columnsOf(plain.slice(index + separator.length).trim());
    if (columns !== null) return { columns, rest: plain.slice(0, index) };
  }
  return { columns: [], rest: prompt };
}

/** The columns that a text lists; null when it is no list of columns. */
function columnsOf(text: string): RequestedColumn[] | null {
  const isTheirs = THEIR.test(text) || OF_THEM.test(text);
  const parts = text
    .replace(/^(?:with|and|including)\b ?/i, '')
    .split(PARTS)
    .map(nameOf)
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.length > COLUMNS_MAX || parts.some((part) => part.length > NAME_MAX)) return null;
  if (!isTheirs && !(parts.some(isAttributeName) && parts.every(mayBeColumn))) return null;
  return parts.map((name) => ({ name, attribute: requestedAttribute(name) }));
}

/** A noun phrase beside columns that are known is one, too: conditions have names, numbers or more words. */
function mayBeColumn(part: string): boolean {
  return isAttributeName(part) || /^\p{Ll}{2,}(?: \p{Ll}{2,}){0,3}$/u.test(part);
}

function nameOf(part: string): string {
  return part
    .trim()
    .replace(THEIR, '')
    .replace(/^(?:the|an?|their|its)\b ?/i, '')
    .trim();
}
