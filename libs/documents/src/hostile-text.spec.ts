import { describe, expect, it } from '@jest/globals';
import { describeText } from './text-kind.ts';
import { parseDocument } from './parse-document.ts';

const CHARS = 100_000;

function repeated(text: string): string {
  return text.repeat(Math.ceil(CHARS / text.length));
}

describe('a document made to be slow is read in time proportional to its length', () => {
  it.each([
    ['comments and no element', `${repeated('<!---->')}x`],
    ['comments in a comment', `<!-- ${repeated('<!-- --> ')}x`],
    ['meta elements without an end', repeated('<meta=')],
    ['angle brackets', `text ${repeated('<')}`],
    ['tabs after a heading', `# a${'\t'.repeat(CHARS)}x`],
    ['line ends', `a${'\n'.repeat(CHARS)}a`],
    ['brackets that nothing closes', `a ${repeated('[[](')}`],
  ])('%s', async (_, text) => {
    const { blocks } = await parseDocument(text);
    expect(blocks.length).toBeGreaterThan(0);
    expect(describeText(text).title).not.toBe('');
  });

  it('paragraphs of a Markdown file from Windows', async () => {
    const started = performance.now();
    const { blocks } = await parseDocument(`# a\r\n\r\n${'a\r\n\r\n'.repeat(CHARS)}`);
    expect(blocks).toHaveLength(CHARS);
    // A second; looking each of them up in the rest of the text takes more than a minute.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('still knows a page that begins with comments', async () => {
    const page = `<?xml version="1.0"?>\n<!-- one --><!---->\n<!doctype html><html><body><p>Text.</p></body></html>`;
    const { mediaType } = await parseDocument(page);
    expect(mediaType).toBe('text/html');
  });
});
