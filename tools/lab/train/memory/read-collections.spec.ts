import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Collection, readOwnCollections } from './read-collections.ts';
import { isAnswerable } from './training-set.ts';

const PAGE = `<html><head><title>git-gc(1)\n Manual</title></head><body>${'Text. '.repeat(100)}</body></html>`;

describe('the collections of our own questions', () => {
  let docs: string;
  let collections: Collection[];

  beforeAll(async () => {
    docs = await mkdtemp(join(tmpdir(), 'collections-'));
    const sources = JSON.parse(await readFile(join(import.meta.dirname, 'collections.json'), 'utf8')) as {
      sources: { package: string; folder: string }[];
    }[];
    for (const source of sources.flatMap((one) => one.sources))
      await mkdir(join(docs, source.package, source.folder), { recursive: true });
    const write = async (path: string, content: string) => {
      await mkdir(dirname(join(docs, path)), { recursive: true });
      await writeFile(join(docs, path), content);
    };
    await write('git-doc/usr/share/doc/git-doc/git-gc.html', PAGE);
    await write('git-doc/usr/share/doc/git-doc/deep/more.html', PAGE);
    await write('git-doc/usr/share/doc/git-doc/short.html', '<title>Short</title>');
    await write('apache2-doc/usr/share/doc/apache2-doc/manual/en/mod/core.html.en', PAGE);
    await write('postgresql-doc-15/usr/share/doc/postgresql-doc-15/html/release-15.html', PAGE);
    collections = await readOwnCollections(docs);
  });

  afterAll(() => rm(docs, { recursive: true }));

  const named = (name: string) => collections.find((collection) => collection.name === name)!;

  it('have the pages that their source includes, with their titles', () => {
    expect(named('git').documents).toEqual([{ id: 'git-doc/git-gc.html', title: 'git-gc(1) Manual', content: PAGE }]);
    expect(named('apache').documents.map(({ id }) => id)).toEqual(['apache2-doc/mod/core.html.en']);
    expect(named('db').documents).toEqual([]);
    expect(named('handbook').documents.length).toBeGreaterThan(20);
  });

  it('have questions, most of them answerable, with patterns that can be read', () => {
    const questions = collections.flatMap((collection) => collection.questions);
    expect(collections.every((collection) => collection.questions.length >= 15)).toBe(true);
    expect(questions.filter(isAnswerable).length).toBeGreaterThan(0.8 * questions.length);
    for (const pattern of questions.flatMap(({ right = [] }) => right))
      expect(() => new RegExp(pattern, 'i')).not.toThrow();
  });
});
