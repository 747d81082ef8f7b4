import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variables } from '../config.ts';
import { planOf, readPlans } from './plans.ts';

const SHIPPED = variables.plansFile.schema.parse(undefined);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-plans-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Book {
  start: string;
  plans: Record<string, Record<string, unknown> & { limits: Record<string, unknown> }>;
}

/** Reads the shipped plans after a change. */
async function readChanged(change: (book: Book) => void): Promise<unknown> {
  const book = JSON.parse(await readFile(SHIPPED, 'utf8')) as Book;
  change(book);
  const file = join(folder, 'plans.json');
  await writeFile(file, JSON.stringify(book));
  return readPlans(file);
}

describe('the plans', () => {
  it('that are shipped start with team and its limits', async () => {
    const book = await readPlans(SHIPPED);
    expect(planOf(book, { plan: book.start, livemode: true })).toMatchObject({
      limits: { workspaces: 3, memories: 20, spaces: 100, documents: 100_000 },
      requests_per_second: 50,
      monthly_credits: 1_000,
    });
  });

  it.each<[string, (book: Book) => void, RegExp]>([
    ['a start that is no plan', (book) => (book.start = 'gold'), /start/],
    ['a start that every object has', (book) => (book.start = 'toString'), /start/],
    ['a next plan that is none', (book) => (book.plans['team']!['next'] = 'gold'), /plans\.team\.next/],
    ['a limit of zero', (book) => (book.plans['free']!.limits['memories'] = 0), /plans\.free\.limits\.memories/],
    ['half a workspace', (book) => (book.plans['free']!.limits['workspaces'] = 1.5), /plans\.free\.limits\.workspaces/],
    ['a limit that is missing', (book) => delete book.plans['free']!.limits['spaces'], /plans\.free\.limits\.spaces/],
    ['a limit that nobody knows', (book) => (book.plans['free']!.limits['seats'] = 5), /seats/],
    [
      'a rate no limiter can hold',
      (book) => (book.plans['free']!['requests_per_second'] = 1e-9),
      /requests_per_second/,
    ],
    ['an address that is none', (book) => (book.plans['free']!['upgrade_url'] = 'there'), /upgrade_url/],
  ])('with %s are refused, saying where', async (_what, change, where) => {
    await expect(readChanged(change)).rejects.toThrow(where);
  });

  it('are refused with every problem at once and the file’s name', async () => {
    const broken = readChanged((book) => {
      book.plans['free']!.limits['memories'] = -1;
      book.plans['team']!['burst'] = 'many';
    });
    const said = await broken.then(String, (error: Error) => error.message);
    for (const part of [/plans\.json/, /plans\.free\.limits\.memories/, /plans\.team\.burst/])
      expect(said).toMatch(part);
  });

  it('in a file that is missing or no JSON are refused with its name', async () => {
    await expect(readPlans(join(folder, 'missing.json'))).rejects.toThrow(/missing\.json/);
    await writeFile(join(folder, 'torn.json'), '{"start":');
    await expect(readPlans(join(folder, 'torn.json'))).rejects.toThrow(/torn\.json/);
  });
});

describe('planOf', () => {
  it('gives a twin a tenth, yet never less than two of a thing', async () => {
    const book = await readPlans(SHIPPED);
    const live = planOf(book, { plan: 'team', livemode: true });
    const twin = planOf(book, { plan: 'team', livemode: false });
    expect(twin.limits).toEqual({
      workspaces: 2,
      memories: 2,
      spaces: 10,
      documents: 10_000,
      stored_bytes: live.limits.stored_bytes / 10,
      api_keys: 50,
      oauth_clients: 10,
    });
    expect([twin.requests_per_second, twin.burst, twin.monthly_requests]).toEqual([5, 10, 500_000]);
  });

  it('fails for a plan that is not in the book', async () => {
    const book = await readPlans(SHIPPED);
    for (const plan of ['gold', 'constructor'])
      expect(() => planOf(book, { plan, livemode: true })).toThrow(/not in the plan book/);
  });
});
