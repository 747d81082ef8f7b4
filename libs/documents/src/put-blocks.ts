import type { NamedValue } from './named-value.ts';
import { type Block, type BlockLocation, withWords } from './parsed.ts';

/** Puts a text away, to be changed together with the others of its document, and returns its place. */
export type PutText = (text: string, values?: readonly NamedValue[]) => number;
/** A text that was put away, by its place, as it is now. */
export type ReadText = (place: number) => string;

/** Puts away every text of the blocks: what is returned makes the blocks of the texts as they were changed. */
export function putBlocks(blocks: readonly Block[], put: PutText): (read: ReadText) => Block[] {
  const places = new Map<string, number>();
  // Headings come again with every block below them; they are one text.
  const putOnce = (text: string) => {
    const place = places.get(text) ?? put(text);
    places.set(text, place);
    return place;
  };
  const all = blocks.map((block) => ({
    headings: block.headings.map(putOnce),
    text: put(block.text, valuesOf(block)),
    location: putLocation(block.location, putOnce),
    kind: block.kind,
  }));
  return (read) =>
    all
      .map(({ headings, text, location, kind }) => ({
        text: read(text).trim(),
        headings: headings.map(read),
        location: location(read),
        ...(kind === undefined ? {} : { kind }),
      }))
      .filter((block) => block.text !== '');
}

/** The values of a block. What is a single word below its heading is a value by the heading's name. */
function valuesOf({ text, headings, values = [] }: Block): readonly NamedValue[] {
  const heading = headings.at(-1);
  if (heading === undefined || values.length > 0 || /\s/.test(text)) return values;
  return [{ names: [heading], start: 0, end: text.length, record: 0 }];
}

/** A sheet's name and a place in JSON are the document's own words: stored, and shown with every result. */
function putLocation(location: BlockLocation, put: (text: string) => number): (read: ReadText) => BlockLocation {
  const places = new Map<string, number>();
  withWords(location, (words) => {
    places.set(words, put(words));
    return words;
  });
  return (read) => withWords(location, (words) => read(places.get(words)!));
}
