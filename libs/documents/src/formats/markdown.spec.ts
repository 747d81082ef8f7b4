import { describe, expect, it } from '@jest/globals';
import { parseTextBlocks } from './markdown.ts';

/** What the places of the blocks show in the text, without the white space around it. */
function shown(content: string): string[] {
  return parseTextBlocks(content).blocks.map(({ location }) =>
    content.slice(location.char_start, location.char_end).trim(),
  );
}

const LINES = ['# A', '', 'One', 'two.', '', '- b', '- c', '', '```', 'd', '', 'e', '```', '', 'a', '', 'End.', ''];

describe('places in Markdown', () => {
  it.each([
    ['Unix', '\n'],
    ['Windows', '\r\n'],
    ['old Macintosh', '\r'],
  ])('are those in the text as it was sent, with line ends of %s', (_, end) => {
    const pieces = [['One', 'two.'], ['- b', '- c'], ['```', 'd', '', 'e', '```'], ['a'], ['End.']];
    expect(shown(LINES.join(end))).toEqual(pieces.map((lines) => lines.join(end)));
  });

  it('are right where line ends of several kinds follow each other', () => {
    expect(shown('# A\r\r\n\none\r\n\r\r\ntwo\r\n2\n\r\nthree\r3')).toEqual(['one', 'two\r\n2', 'three\r3']);
  });
});
