import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Tx } from '@cairn/postgres';
import { storePendingRecords, takePendingRecords } from '../src/crawl/pending-records.ts';
import type { RunContext } from '../src/ledger/run-context.ts';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
});
afterAll(() => research.close());

it('a record that two pages describe has the values and the sources of both', async () => {
  const { body } = await research.call('POST', '/api/v1/search/workflow/people/start', { prompt: 'Find pilots' });
  const runId = body.thread_id as string;
  const { list_id: listId } = await research.until(runId, 'completed', 'failed');
  const tx = { query: research.ask, execute: (sql: string, values: unknown[]) => research.ask(sql, values) };
  const context = { runId, tenantId: research.caller.tenantId } as RunContext;
  const record = (page: string, column: string) => ({
    identityKey: 'name bell',
    name: 'Bell',
    cells: { [column]: { value: page, confidence: 1, evidence: [] } },
    sources: [{ source_id: `src_${page}`, title: page, uri: null }],
    template: null,
  });
  const store = (page: string, column: string) =>
    storePendingRecords(tx as unknown as Tx, context, [record(page, column)], { isListed: false });
  await store('one', 'constructor');
  await store('two', 'price');
  const taken = await takePendingRecords(tx as unknown as Tx, { runId, listId }, 'unknown', 10);
  expect(taken).toHaveLength(1);
  expect(Object.keys(taken[0]!.cells).toSorted()).toEqual(['constructor', 'price']);
  expect(taken[0]!.sources.map(({ source_id }) => source_id)).toEqual(['src_one', 'src_two']);
}, 60_000);
