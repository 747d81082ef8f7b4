import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { planDocumentationMemory, updateDocumentationMemory } from './documentation-memory.ts';

type Client = Parameters<typeof updateDocumentationMemory>[0];

let root: string;
let file: string;
let memories: { memory_id: string; display_name: string; status: string }[];
let documents: Map<string, string>;
let calls: string[];
let isRefused = false;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cairn-documentation-'));
  file = join(root, 'documentation.json');
  memories = [{ memory_id: 'mem_1', display_name: 'Primary', status: 'active' }];
  documents = new Map();
  calls = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The part of a client that is used, which keeps documents by their external ids. */
function client(): Client {
  const all = <T>(rows: () => T[]) => ({ all: () => Promise.resolve(rows()) });
  return {
    memories: {
      list: () => all(() => memories),
      create: ({ display_name }: { display_name: string }) => {
        calls.push('create');
        memories.push({ memory_id: 'mem_2', display_name, status: 'active' });
        return Promise.resolve({ memory_id: 'mem_2' });
      },
    },
    documents: {
      list: () => all(() => [...documents.keys()].map((external_id) => ({ doc_id: external_id, external_id }))),
      add: ({ documents: pages }: { documents: { external_id: string; content: string }[] }) => {
        if (isRefused) return Promise.reject(new Error('queue_full'));
        calls.push(`add ${pages.length}`);
        for (const { external_id, content } of pages) documents.set(external_id, content);
        return Promise.resolve({});
      },
      deleteMany: ({ doc_ids }: { doc_ids: string[] }) => {
        calls.push(`delete ${doc_ids.join(' ')}`);
        for (const id of doc_ids) documents.delete(id);
        return Promise.resolve({});
      },
    },
  } as unknown as Client;
}

async function built(name: string, pages: Record<string, string>): Promise<string> {
  for (const [page, text] of Object.entries(pages)) {
    await mkdir(dirname(join(root, name, page)), { recursive: true });
    await writeFile(join(root, name, page), text);
  }
  return join(root, name);
}

async function update(folder: string): Promise<string[]> {
  calls = [];
  await updateDocumentationMemory(client(), folder, { file, signal: new AbortController().signal });
  return calls;
}

const PAGES = { 'index.md': 'Start', 'guides/export.md': 'Export', 'measurements/search.md': '1 ms' };

describe('the memory of the documentation', () => {
  it('is made where it was planned, and not again', async () => {
    const folder = await built('one', PAGES);
    await planDocumentationMemory(file);
    expect(await update(folder)).toEqual(['create', 'add 2']);
    expect([...documents.keys()]).toEqual(['guides/export.md', 'index.md']);
    expect(await update(folder)).toEqual([]);
  });

  it('gets the pages of another build, and loses those that are gone', async () => {
    await planDocumentationMemory(file);
    await update(await built('one', PAGES));
    const folder = await built('two', { 'index.md': 'Start here', 'guides/new.md': 'New' });
    expect(await update(folder)).toEqual(['add 2', 'delete guides/export.md']);
    expect(Object.fromEntries(documents)).toEqual({ 'index.md': 'Start here', 'guides/new.md': 'New' });
    expect(await update(folder)).toEqual([]);
  });

  it('is finished by the start after one that was interrupted', async () => {
    const folder = await built('one', PAGES);
    await planDocumentationMemory(file);
    isRefused = true;
    await expect(update(folder)).rejects.toThrow('queue_full');
    isRefused = false;
    expect(await update(folder)).toEqual(['add 2']);
    expect(await update(folder)).toEqual([]);
  });

  it('is found where an earlier version made it', async () => {
    memories.push({ memory_id: 'mem_2', display_name: 'Cairn documentation', status: 'active' });
    const folder = await built('one', PAGES);
    expect(await update(folder)).toEqual(['add 2']);
    expect(await update(folder)).toEqual([]);
  });

  it('is not made where it was not planned, nor after somebody deleted it', async () => {
    const folder = await built('one', PAGES);
    expect(await update(folder)).toEqual([]);
    await planDocumentationMemory(file);
    await update(folder);
    memories.pop();
    expect(await update(await built('two', PAGES))).toEqual([]);
  });
});
