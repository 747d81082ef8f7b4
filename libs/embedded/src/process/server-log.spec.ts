import { afterAll, expect, it } from '@jest/globals';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, temporaryFolder } from '../../tests/harness.ts';
import { lastLogLines, openServerLog } from './server-log.ts';

afterAll(cleanUp);

it('a log that grew large becomes the one older generation at the next start', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'server.log');
  for (const round of [1, 2, 3]) {
    writeFileSync(path, `round ${round}\n`);
    truncateSync(path, 9 * 1024 * 1024);
    await (await openServerLog(path)).close();
  }
  expect(readdirSync(folder).toSorted()).toEqual(['server.log', 'server.log.1']);
  expect(statSync(path)).toMatchObject({ size: 0 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('the last lines begin where this server began to write, and are bounded', async () => {
  const path = join(temporaryFolder(), 'server.log');
  writeFileSync(path, 'old\n');
  const from = statSync(path).size;
  expect(await lastLogLines(path, from)).toEqual([]);
  writeFileSync(path, `${Array.from({ length: 50_000 }, (_, n) => `line ${n}`).join('\n')}\n`, { flag: 'a' });
  const lines = await lastLogLines(path, from);
  expect(lines).toHaveLength(20);
  expect(lines.at(-1)).toBe('line 49999');
  expect(await lastLogLines(join(temporaryFolder(), 'none'))).toEqual([]);
});
