import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonEnvironment, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { type NewTenant, operator } from './operator.ts';
import { followPage, snippetsOf } from './page-snippets.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = globSync(['docs/**/*.md', 'sdk/README.md', 'sdk/python/README.md'], { cwd: ROOT }).toSorted();
const AT_ONCE = 3;
const python = pythonEnvironment(['httpx==0.28.1']);

let cairn: RunningCairn;
beforeAll(async () => {
  cairn = await startCairn();
}, 120_000);
afterAll(() => cairn.remove());

/** Follows the page as somebody who has just got a key would, in an empty folder; returns what is wrong. */
async function follow(page: string): Promise<string | null> {
  const markdown = await readFile(join(ROOT, page), 'utf8');
  if (snippetsOf(markdown).length === 0) return null;
  const { api_key: apiKey } = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', page);
  const folder = await temporaryFolder('cairn-page-');
  try {
    const { baseUrl, dataDir } = cairn;
    const wrong = await followPage(markdown, { folder, baseUrl, apiKey, dataDir, python });
    return wrong === null ? null : `${page}: ${wrong}`;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

describe('the pages of the documentation', () => {
  it('do what they say: every snippet marked `run` runs, in order, against a fresh installation', async () => {
    const waiting = [...PAGES];
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
          const found = await follow(page);
          if (found !== null) wrong.push(found);
        }
      }),
    );
    expect(wrong.join('\n\n')).toBe('');
  }, 600_000);

  it('have snippets: tutorials, guides and SDKs', async () => {
    const texts = await Promise.all(
      PAGES.map(async (page) => [page, await readFile(join(ROOT, page), 'utf8')] as const),
    );
    const without = texts.filter(([page, text]) => /tutorials|README/.test(page) && snippetsOf(text).length === 0);
    expect(without.map(([page]) => page).filter((page) => page !== 'docs/adr/README.md')).toEqual([]);
  });
});
