import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CRITERIA, generateBiographies } from './biographies.ts';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
const { documents, people } = generateBiographies(7);
const EVERYONE = 1_000;

beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push(...documents);
});
afterAll(() => research.close());

interface Row {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  cells: Record<string, any>;
}

async function search(
  prompt: string,
  total_target = EVERYONE,
): Promise<{ threadId: string; listId: string; rows: Row[] }> {
  const started = await research.call('POST', '/api/v1/search/workflow/people/start', {
    prompt,
    total_target,
    search_mode: 'deep',
  });
  expect(started.status).toBe(200);
  const status = await research.until(started.body.thread_id, 'completed', 'failed');
  expect(status.error).toBeNull();
  return { threadId: started.body.thread_id, listId: status.list_id, rows: await rowsOf(status.list_id) };
}

async function rowsOf(listId: string): Promise<Row[]> {
  return (await research.call('GET', `/api/v1/search/lists/${listId}/rows?limit=200`)).body.data;
}

describe('a people search over 200 generated texts', () => {
  it.each(CRITERIA.map((criterion) => [...criterion] as const))(
    'finds those of a %s, and nobody else',
    async (_name, prompt, is) => {
      const { rows } = await search(prompt);
      const wanted = people.filter(is);
      // Namesakes are two people, so names are counted with multiplicity.
      const left = wanted.map(({ name }) => name);
      const wrong: string[] = [];
      for (const { name } of rows) {
        const at = left.indexOf(name);
        if (at >= 0) left.splice(at, 1);
        else wrong.push(name);
      }
      const right = rows.length - wrong.length;
      const [precision, recall] = [right / Math.max(1, rows.length), right / wanted.length];
      expect({
        prompt,
        wanted: wanted.length,
        right,
        wrong,
        left: left.slice(0, 8),
        good: precision >= 0.9 && recall >= 0.9,
      }).toMatchObject({ good: true });
    },
    60_000,
  );

  it('gives evidence for every cell that stands in its source as it is quoted', async () => {
    const { threadId, rows } = await search('Find backend engineers who speak German');
    expect(rows.length).toBeGreaterThan(0);
    const sources = new Map(
      (
        await research.ask<{ source_id: string; body: string }>(
          'SELECT source_id, body FROM sources WHERE run_id = $1',
          [threadId],
        )
      ).map((row) => [row.source_id, row.body]),
    );
    for (const { cells } of rows) {
      expect(Object.keys(cells).sort()).toEqual(['language', 'role']);
      for (const cell of Object.values(cells)) {
        expect(cell.evidence.length).toBeGreaterThan(0);
        expect(cell.confidence).toBeGreaterThanOrEqual(0.5);
        for (const { source_id, start, quote } of cell.evidence)
          expect(sources.get(source_id)?.slice(start, start + quote.length)).toBe(quote);
      }
    }
  }, 60_000);

  it('lists a person of several sources once, and two of one name twice', async () => {
    const { rows } = await search('Find people with at least 1 year of experience');
    const expected = new Map<string, number>();
    for (const { name } of people) expected.set(name, (expected.get(name) ?? 0) + 1);
    const listed = new Map<string, number>();
    for (const { name } of rows) listed.set(name, (listed.get(name) ?? 0) + 1);
    const wrong = [...listed].filter(([name, count]) => count !== expected.get(name));
    expect(wrong.length).toBeLessThanOrEqual(expected.size * 0.05);
  }, 60_000);

  it('goes on from 10 to 25 without listing anybody twice', async () => {
    const { threadId, listId, rows } = await search('Find people who know Rust', 10);
    expect(rows).toHaveLength(10);
    const again = await research.call('POST', '/api/v1/search/workflow/continue', {
      thread_id: threadId,
      total_target: 10,
    });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    const more = await research.call('POST', '/api/v1/search/workflow/continue', {
      thread_id: threadId,
      total_target: 25,
    });
    expect(more.body).toEqual({ success: true, thread_id: threadId, status: 'queued' });
    await research.until(threadId, 'completed');
    const extended = await rowsOf(listId);
    expect(extended).toHaveLength(25);
    expect(extended.slice(0, 10)).toEqual(rows);
    expect(research.stubs.charges.get(threadId)?.requests.filter((word) => word === 'reserve')).toHaveLength(1);
  }, 60_000);
});
