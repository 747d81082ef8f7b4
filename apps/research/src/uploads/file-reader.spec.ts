import { describe, expect, it } from '@jest/globals';
import type { TextWorkers } from '../workers/text-workers.ts';
import { createFileReader } from './file-reader.ts';

const QUESTION = { bytes: new Uint8Array(1), name: 'a.txt', policy: 'off' as never };

describe('reference files', () => {
  it('are held by no more readers than the service has room for', async () => {
    const read = Promise.withResolvers<{ ok: false; reason: 'empty'; name: string }>();
    const text = { run: () => read.promise } as unknown as TextWorkers;
    const files = createFileReader(text);
    const { signal } = new AbortController();
    const held = Array.from({ length: 8 }, () => files.read('tnt_1', QUESTION, signal));
    await expect(files.read('tnt_2', QUESTION, signal)).rejects.toMatchObject({ code: 'unavailable' });
    read.resolve({ ok: false, reason: 'empty', name: 'a.txt' });
    await Promise.all(held);
    expect(await files.read('tnt_2', QUESTION, signal)).toMatchObject({ reason: 'empty' });
  });
});
