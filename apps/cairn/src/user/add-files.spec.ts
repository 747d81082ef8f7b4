import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cairn } from '@cairn/sdk';
import { addFiles } from './add-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-add-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A memory with many documents, which takes what it is sent and has it searchable at once. */
function memoryOf(older: number) {
  const texts: string[] = [];
  const uploaded: string[] = [];
  const stored = Array.from({ length: older }, (_, n) => `doc_${String(n).padStart(6, '0')}`);
  let read = 0;
  const take = () => {
    const doc_id = `doc_${String(stored.length).padStart(6, '0')}`;
    stored.push(doc_id);
    return { documents: [{ doc_id }] };
  };
  const documents = {
    add: (fields: { documents: { content: string }[] }) => {
      texts.push(...fields.documents.map(({ content }) => content));
      return Promise.resolve({ documents: fields.documents.flatMap(() => take().documents) });
    },
    upload: ({ name }: { name: string }) => {
      uploaded.push(name);
      return Promise.resolve(take());
    },
    async *list(fields: { sort?: string }) {
      const found = fields.sort === 'newest' ? stored.toReversed() : stored;
      for (const doc_id of found) {
        read += 1;
        yield { doc_id, status: 'completed', error: null };
      }
    },
  };
  return { client: { documents } as unknown as Cairn, texts, uploaded, rowsRead: () => read };
}

describe('files that are put into a memory', () => {
  it('are looked for among its newest documents only', async () => {
    const path = join(folder, 'note.md');
    await writeFile(path, 'A kite costs 12 EUR.');
    const memory = memoryOf(5_000);
    expect(await addFiles(memory.client, [path], {})).toMatchObject({ total: 1, completed: 1 });
    expect(memory.rowsRead()).toBe(1);
  });

  it('are sent as they are where they turn out not to be UTF-8', async () => {
    const path = join(folder, 'old.txt');
    await writeFile(path, Buffer.concat([Buffer.from('a'.repeat(9_000)), Buffer.of(0xfc)]));
    const memory = memoryOf(0);
    expect(await addFiles(memory.client, [path], {})).toMatchObject({ total: 1, completed: 1 });
    expect([memory.texts, memory.uploaded]).toEqual([[], ['old.txt']]);
  });
});
