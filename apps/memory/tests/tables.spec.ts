import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { type BootedMemory, bootMemory, type Caller } from './memory-harness.ts';

const REGIONS = ['North', 'South', 'East', 'West'];
const ROWS = 300;
const rows = Array.from({ length: ROWS }, (_none, index) => ({
  id: `PO-${7000 + index}`,
  region: REGIONS[(index * 7) % 4]!,
  amount: 100 + ((index * 37) % 900),
}));

let memory: BootedMemory;
let caller: Caller;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  const lines = rows.map(({ id, region, amount }) => `${id},${region},${amount},buyer${amount}@example.org`);
  await memory.ingest(caller, [
    { content: ['purchase_id,region,amount_eur,contact', ...lines].join('\n'), title: 'purchases.csv' },
    { content: 'The canteen serves soup on Thursdays.' },
  ]);
  // A search does not wait for ever for the process that computes to be up.
  await eventually(
    () => ask('How many purchases were there?'),
    ({ answer }) => answer.startsWith(`${ROWS}. `),
    60_000,
  );
});
afterAll(() => memory.close());

const ask = async (query: string, who: Caller = caller) =>
  (await memory.call(who, 'POST', '/api/v1/memory/search', { query })).body;

it('computes over all rows of a table, not over those that a search finds', async () => {
  const east = rows.filter(({ region }) => region === 'East');
  const counted = await ask('How many purchases came from the East region?');
  expect(counted.answer).toMatch(new RegExp(`^${east.length}\\. `));
  expect(counted.answer).toContain('where region is East');
  const sum = east.reduce((total, { amount }) => total + amount, 0).toLocaleString('en');
  expect((await ask('What is the total amount of purchases from the East region?')).answer).toContain(`${sum} EUR.`);
});

it('cites rows that show the answer, and lists each cited chunk among the results', async () => {
  const { answer, citations, results } = await ask('Which region has purchase PO-7123?');
  expect(answer).toMatch(new RegExp(`^${rows[123]!.region}\\.`));
  expect(citations.length).toBeGreaterThan(0);
  expect(citations[0].snippet).toContain('region: ');
  const listed = results.map((result: { chunk_id: string }) => result.chunk_id);
  for (const { chunk_id } of citations) expect(listed).toContain(chunk_id);
});

it('answers as from any text when the table cannot tell', async () => {
  expect((await ask('How many cancelled purchases came from East?')).answer).not.toMatch(/^\d+\. /);
  expect((await ask('What does the canteen serve on Thursdays?')).answer).toContain('soup');
});

it('says nothing of a table to who may not read it, and nothing once it is deleted', async () => {
  const question = 'How many purchases came from the West region?';
  expect((await ask(question, memory.newCaller())).answer).toBe('Nothing in this memory answers that.');
  const { results } = await ask(question);
  await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${results[0].doc_id}`);
  expect((await ask(question)).answer).toBe('Nothing in this memory answers that.');
});
