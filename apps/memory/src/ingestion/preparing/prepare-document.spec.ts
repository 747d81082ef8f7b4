import { expect, it } from '@jest/globals';
import { prepareDocument } from './prepare-document.ts';

const note = (key: string) => JSON.stringify({ [key]: { note: 'x '.repeat(4_000) }, other: 'y' });
const prepare = (content: string) =>
  prepareDocument({
    content,
    fileName: 'a.json',
    mediaType: 'application/json',
    title: null,
    metadata: {},
    url: null,
    policy: 'pii',
    withTerms: false,
  });

it('masks where a chunk comes from like its text: a key of JSON is the document’s own word', async () => {
  const prepared = await prepare(note('alice@example.org'));
  expect(prepared.ok).toBe(true);
  expect(JSON.stringify(prepared)).not.toContain('alice@example.org');
});

it('stores a key that no database takes as one that it does', async () => {
  const text = JSON.stringify(await prepare(note('a\u0000b\ud800')));
  expect(text).not.toContain('\\u0000');
  expect(text).not.toContain('\\ud800');
});
