import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSigningKey } from '@cairn/identity';
import { temporaryFolder } from '@cairn/testing';
import { openKeyFiles } from './data-folder.ts';

let root: string;
beforeAll(async () => {
  root = await temporaryFolder('cairn-keys-');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const publishedIn = async (file: string) =>
  (JSON.parse(await readFile(file, 'utf8')) as { keys: { kid: string; x: string }[] }).keys;

describe('the set of public keys', () => {
  it('has the key of a run that was killed before it published it, and the others as they were', async () => {
    const { jwksFile, signingKeyFile } = await openKeyFiles(join(root, 'keys'));
    const before = await publishedIn(jwksFile);
    const { privateJwk, publicJwk } = await generateSigningKey('keys');
    await writeFile(signingKeyFile('keys'), JSON.stringify(privateJwk));
    await openKeyFiles(join(root, 'keys'));
    expect(await publishedIn(jwksFile)).toEqual(before.map((key) => (key.kid === 'keys' ? publicJwk : key)));
  });
});
