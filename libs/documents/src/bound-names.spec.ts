import { describe, expect, it } from '@jest/globals';
import { boundNames } from './bound-names.ts';
import { chunkBlocks } from './chunk-text.ts';
import { NO_HINTS, parseDocument } from './parse-document.ts';

const LONG_CHARS = 20_000;

async function chunksOf(text: string, fileName = '') {
  const { blocks, title, context } = await parseDocument(text, { ...NO_HINTS, fileName });
  return chunkBlocks(blocks, { title, context });
}

/** All that is repeated with each result. */
function repeatedChars(chunks: Awaited<ReturnType<typeof chunksOf>>): number {
  return Math.max(
    ...chunks.map(
      ({ titlePath, contextPrefix, location }) =>
        titlePath.length + contextPrefix.length + JSON.stringify(location).length,
    ),
  );
}

const words = 'needle '.repeat(LONG_CHARS / 7);

describe('what is repeated with every chunk', () => {
  it.each([
    ['a heading of blanks', `# a${' \t'.repeat(LONG_CHARS)}x\n\nBelow it.\n`, 'notes.md'],
    ['a heading of words', `# ${words}end\n\nBelow it.\n\n## More\n\nAnd more.\n`, 'notes.md'],
    ['a title of a page', `<html><title>${words}</title><h1>${words}end</h1><p>Below it.</p></html>`, 'page.html'],
    ['a key of JSON', JSON.stringify({ [words]: { note: 'x'.repeat(9_000) }, other: 'Below it.' }), 'a.json'],
    [
      'a hundred headings deep',
      `${Array.from({ length: 100 }, (_, i) => `${'#'.repeat((i % 6) + 1)} ${words}\n`).join('')}\nBelow it.`,
      'deep.md',
    ],
    [
      'a mail to everybody',
      `From: a@example.com\nTo: ${'b@example.com, '.repeat(2_000)}c@example.com\nSubject: ${words}\n\nBelow it.\n`,
      'a.eml',
    ],
  ])('is bounded: %s', async (_, text, fileName) => {
    const chunks = await chunksOf(text, fileName);
    expect(repeatedChars(chunks)).toBeLessThan(6_000);
    expect(chunks.some(({ body }) => body.includes('Below it.'))).toBe(true);
  });

  it('keeps the text of a heading that is too long to be one', async () => {
    const chunks = await chunksOf(`# ${words}end\n\nBelow it.\n`, 'notes.md');
    const letters = chunks.map(({ body }) => body.replace(/\s+/g, '')).join('');
    expect(letters).toContain(`${words}end`.replace(/\s+/g, ''));
  });

  it.each([0, 1])('cuts through no character of two units, whether it begins at an even place: %d', async (letters) => {
    const long = `${'a'.repeat(letters)}${'😀'.repeat(600)}`;
    const heading = await chunksOf(`# ${long}\n\nBelow it.\n`, 'notes.md');
    const mail = await chunksOf(`From: ${long} <a@example.com>\nTo: b@example.com\nSubject: ${long}\n\nBelow it.\n`);
    const json = await chunksOf(JSON.stringify({ [long]: { note: 'x'.repeat(9_000) }, other: 'Below it.' }));
    for (const chunk of [...heading, ...mail, ...json])
      for (const text of [chunk.titlePath, chunk.contextPrefix, chunk.location.heading, chunk.location.path])
        expect((text ?? '').isWellFormed()).toBe(true);
  });

  it('leaves an ordinary heading alone', async () => {
    const [chunk] = await chunksOf('# Leave policy\n\n## Parents\n\nSixteen weeks.\n', 'notes.md');
    expect(chunk).toMatchObject({ titlePath: 'Leave policy › Parents', body: 'Sixteen weeks.' });
  });

  it('turns headings that are too deep into text, each once', () => {
    const headings = Array.from({ length: 14 }, (_, level) => `Level ${level}`);
    const block = (text: string) => ({ text, headings, location: { char_start: 0, char_end: text.length } });
    const { blocks } = boundNames({ title: null, context: '', blocks: [block('First.'), block('Second.')] } as never);
    expect(blocks.map(({ text }) => text)).toEqual(['Level 12', 'Level 13', 'First.', 'Second.']);
    expect(blocks.map((each) => each.headings.length)).toEqual([12, 12, 12, 12]);
  });

  it('turns a long heading that is duplicated into text once', () => {
    const headings = [words, words];
    const block = { text: 'Below it.', headings, location: { char_start: 0, char_end: 9 } };
    const { blocks } = boundNames({ title: null, context: '', blocks: [block] } as never);
    expect(blocks.map(({ text }) => text)).toEqual([words, 'Below it.']);
  });
});
