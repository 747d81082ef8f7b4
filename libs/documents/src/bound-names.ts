import { cutBetweenWords, cutText } from '@cairn/language';
import { type Block, type ParsedDocument, withWords } from './parsed.ts';

/** Longest heading, title, sheet name or place; whatever is longer is text. Real headings have less than 200. */
const NAME_MAX_CHARS = 300;
const HEADINGS_MAX = 12;
/** Longest context; a mail to hundreds of people names the first of them. */
const CONTEXT_MAX_CHARS = 1_000;

/**
 * Bounds what is repeated with every piece of a document: its title, context, headings and places. Every chunk and
 * every search result below them bears them again, so that one heading of a megabyte costs a hundred in a response.
 * Nothing is lost: a heading that is too long or too deep to be one becomes the first block below itself.
 */
export function boundNames(parsed: ParsedDocument): ParsedDocument {
  const moved: MovedHeadings = { shortened: new Map(), deep: new Set() };
  return {
    ...parsed,
    title: parsed.title === null ? null : shortName(parsed.title),
    context: shortText(parsed.context, CONTEXT_MAX_CHARS),
    blocks: parsed.blocks.flatMap((block) => boundBlock(block, moved)),
  };
}

/** Headings that have become text, each once. */
interface MovedHeadings {
  /** Their short forms. */
  shortened: Map<string, string>;
  /** Paths, as JSON. */
  deep: Set<string>;
}

function boundBlock(block: Block, moved: MovedHeadings): Block[] {
  const { shortened } = moved;
  const { headings, location } = block;
  const { sheet, path } = location;
  const isBounded = headings.length <= HEADINGS_MAX && headings.every((heading) => heading.length <= NAME_MAX_CHARS);
  if (isBounded && (sheet?.length ?? 0) <= NAME_MAX_CHARS && (path?.length ?? 0) <= NAME_MAX_CHARS) return [block];
  const bounded: Block = {
    ...block,
    headings: headings.slice(0, HEADINGS_MAX).map((heading) => shortened.get(heading) ?? shortName(heading)),
    location: withWords(location, shortName),
  };
  const long = headings.filter((heading) => heading.length > NAME_MAX_CHARS && !shortened.has(heading));
  const whole = new Set([...long, ...deepHeadings(headings, moved.deep)]);
  for (const heading of long) shortened.set(heading, shortName(heading));
  const before = { ...bounded.location, char_end: bounded.location.char_start };
  return [
    ...Array.from(whole, (heading) => ({ text: heading, headings: bounded.headings, location: before })),
    bounded,
  ];
}

/** Headings below the deepest that is kept, unless they have become text with an earlier block. */
function deepHeadings(headings: readonly string[], known: Set<string>): string[] {
  return headings.filter((_heading, level) => {
    if (level < HEADINGS_MAX) return false;
    const path = JSON.stringify(headings.slice(0, level + 1));
    if (known.has(path)) return false;
    known.add(path);
    return true;
  });
}

function shortName(text: string): string {
  return shortText(text, NAME_MAX_CHARS);
}

function shortText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const line = cutText(text, maxChars * 4).replace(/\s+/g, ' ');
  return `${cutBetweenWords(line, maxChars - 1)}…`;
}
