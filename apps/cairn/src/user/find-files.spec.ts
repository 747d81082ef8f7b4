import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFiles } from './find-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-find-'));
  await mkdir(join(folder, 'deeper'));
  await writeFile(join(folder, 'service.yaml'), 'port: 8080\n');
  await writeFile(join(folder, 'today.log'), 'started\n');
  await writeFile(join(folder, 'noname'), 'plain words, ümlauts too\n');
  await writeFile(join(folder, 'paper.bin'), '%PDF-1.7 …');
  await writeFile(join(folder, 'deeper', 'page'), '<html><p>Hi</p></html>');
  await writeFile(join(folder, 'picture.md'), Buffer.from([0x89, 0x50, 0, 1, 2]));
  await writeFile(join(folder, 'empty.md'), '');
  await writeFile(join(folder, '.hidden'), 'x');
  await symlink(folder, join(folder, 'deeper', 'loop'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the files that are put into a memory', () => {
  it('are taken by what is in them, not by their extension', async () => {
    const { files } = await findFiles([folder]);
    expect(files.map(({ externalId, plainText }) => [externalId, plainText])).toEqual([
      ['deeper/page', false],
      ['noname', true],
      ['paper.bin', false],
      ['service.yaml', true],
      ['today.log', true],
    ]);
  });

  it('leave others out, each with its name and the reason', async () => {
    const { leftOut } = await findFiles([folder]);
    expect(leftOut.map(({ path, reason }) => [path.slice(folder.length + 1), reason])).toEqual([
      ['.hidden', 'is hidden'],
      ['deeper/loop', 'is a link to a folder'],
      ['empty.md', 'is empty'],
      ['picture.md', 'is neither text nor a kind of document'],
    ]);
  });

  it('are sent as files where they are larger than the service takes as text', async () => {
    const long = join(folder, 'deeper', 'long.txt');
    await writeFile(long, 'words '.repeat(900_000));
    const { files } = await findFiles([long]);
    await rm(long);
    expect(files).toMatchObject([{ plainText: false }]);
  });

  it('that cannot be read keep no others from being found, unless they were named', async () => {
    const failing = Object.assign(new Error('no'), { code: 'EACCES' });
    const readsAll = (path: string) => {
      if (path.endsWith('today.log')) throw failing;
      return true;
    };
    const { files, leftOut } = await findFiles([folder], readsAll);
    expect(files).toHaveLength(4);
    expect(leftOut).toContainEqual({ path: join(folder, 'today.log'), reason: 'cannot be read' });
    await expect(findFiles([join(folder, 'today.log')], readsAll)).rejects.toBe(failing);
  });

  it('keep apart two of the same name', async () => {
    const [one, other] = [join(folder, 'service.yaml'), join(folder, 'deeper', 'service.yaml')];
    await writeFile(other, 'port: 9090\n');
    const { files } = await findFiles([one, other, one]);
    await rm(other);
    expect(new Set(files.map(({ externalId }) => externalId)).size).toBe(2);
    expect(files).toHaveLength(2);
  });
});
