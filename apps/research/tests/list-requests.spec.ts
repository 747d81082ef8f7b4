import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
const STAFF = 'Anna Berg,Carl Dahl,Ines Moreau,Hugo Santos,Lena Petrov'.split(',');

beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push(
    ...STAFF.map((name, at) => ({
      docId: `doc_staff_${at}`,
      title: name,
      text: `${name} is a chemist who works at the Halden Institute. ${name} joined in ${2010 + at}.`,
    })),
    {
      docId: 'doc_other',
      title: 'Nora Quist',
      text: 'Nora Quist is an engineer who works at Kestrel Foods Ltd. She joined the company in 2015.',
    },
    {
      docId: 'doc_minutes',
      title: 'Minutes of the spring meeting',
      text: 'The company was represented by Oskar Lindgren. Marta Okafor took the minutes for the team.',
    },
  );
});
afterAll(() => research.close());

async function listed(kind: 'people' | 'company', prompt: string) {
  const { body } = await research.call('POST', `/api/v1/search/workflow/${kind}/start`, { prompt });
  const status = await research.until(body.thread_id, 'completed', 'failed');
  const rows = await research.call('GET', `/api/v1/search/lists/${status.list_id}/rows?limit=200`);
  const data = rows.body.data as { name: string; cells: Record<string, { evidence: unknown[] }> }[];
  return { status, rows: data, names: data.map(({ name }) => name).toSorted() };
}

describe('a list', () => {
  it.each([
    'Find all people who work at the Halden Institute. Use my documents only.',
    'Use only our files. Find all people who work at the Halden Institute.',
    'Find everyone in my documents who works at the Halden Institute, no more than 20, as a table.',
    "Don't use the web: people who work at the Halden Institute. Answer in English. Thanks!",
  ])(
    'takes no instruction for a condition: %s',
    async (prompt) => {
      const { status, names } = await listed('people', prompt);
      expect(status.criteria.map(({ kind, text }: Record<string, string>) => [kind, text])).toEqual([
        ['employer', expect.stringMatching(/Halden Institute$/)],
      ]);
      expect(names).toEqual(STAFF.toSorted());
    },
    60_000,
  );

  it.each(['People named in my documents', 'Who is mentioned in our files?', 'List everyone in my memory.'])(
    'of all people is everybody whom the documents name: %s',
    async (prompt) => {
      const { names, rows } = await listed('people', prompt);
      expect(names).toEqual([...STAFF, 'Marta Okafor', 'Nora Quist', 'Oskar Lindgren'].toSorted());
      for (const { cells } of rows) for (const { evidence } of Object.values(cells)) expect(evidence).not.toEqual([]);
    },
    60_000,
  );

  it('of all companies is every organisation that the documents name, and ends at its target', async () => {
    const { names } = await listed('company', 'Every company mentioned in my documents. Keep it short.');
    expect(names).toEqual(expect.arrayContaining(['Halden Institute', 'Kestrel Foods Ltd']));
    const { body } = await research.call('POST', '/api/v1/search/workflow/people/start', {
      prompt: 'People named in my documents',
      total_target: 3,
    });
    const { list_id } = await research.until(body.thread_id, 'completed');
    expect((await research.call('GET', `/api/v1/search/lists/${list_id}/rows`)).body.total).toBe(3);
  }, 60_000);
});
