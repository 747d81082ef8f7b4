import { expect, it } from '@jest/globals';
import { retitled } from './rewrite-chunks.ts';

it.each([
  ['the title alone', 'Old', 'Old', 'New', 'New'],
  ['the title above headings', 'Old › Part › Section', 'Old', 'New', 'New › Part › Section'],
  ['no path, where the title was made of the text', '', 'First line', 'New', 'New'],
  ['headings without the title', 'Part › Section', 'First line', 'New', 'New › Part › Section'],
  ['a heading that begins like the title', 'Older › Part', 'Old', 'New', 'New › Older › Part'],
  ['headings that begin with the new title', 'New › Part', 'Old', 'New', 'New › Part'],
])('a new title takes its place above %s', (_case, path, before, title, expected) => {
  expect(retitled(path, before, title)).toBe(expected);
});
