import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory, type Caller, type StandInSpace } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
let space: StandInSpace;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  space = memory.newSpace(caller);
  await memory.ingest(caller, [
    { title: 'Aurora', content: 'The ferry Aurora was built in 1931 in Gdansk. The Aurora carries 40 cars.' },
    { title: 'Borealis', content: 'The tram Borealis was built in 1990 in Graz. The Borealis carries 200 people.' },
    { title: 'Inside', content: 'The submarine Nautilus was built in 1954.', space_id: space.spaceId },
    { title: 'Old minutes', content: 'The board met about the budget.', occurred_at: '2026-10-05T09:00:00Z' },
    { title: 'New minutes', content: 'The board met about the budget again.', occurred_at: '2026-11-11T09:00:00Z' },
  ]);
});
afterAll(() => memory.close());

const post = (path: string, body: object, as: Caller = caller) => memory.call(as, 'POST', `/api/v1${path}`, body);
const search = async (body: object, as: Caller = caller) => (await post('/memory/search', body, as)).body;

describe('a search in a thread', () => {
  it('understands a follow-up by the turns before it, and keeps question and answer as turns', async () => {
    const { thread_id } = (await post('/threads', { title: 'Ships' })).body;
    await search({ query: 'How many cars does the ferry Aurora carry?', thread_id });
    const followed = await search({ query: 'And when was it built?', thread_id });
    expect(followed.answer).toMatch(/^The ferry Aurora was built in 1931 in Gdansk\. \[1\]/);
    expect(followed.thread_id).toBe(thread_id);
    const { turns } = (await memory.call(caller, 'GET', `/api/v1/threads/${thread_id}/turns`)).body;
    expect(turns.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
      ['user', 'How many cars does the ferry Aurora carry?'],
      ['assistant', expect.stringContaining('The Aurora carries 40 cars. [1]')],
      ['user', 'And when was it built?'],
      ['assistant', followed.answer],
    ]);
  });

  it('leaves a question alone that stands by itself', async () => {
    const { thread_id } = (await post('/threads', { title: 'Ships' })).body;
    await search({ query: 'How many cars does the ferry Aurora carry?', thread_id });
    const other = await search({ query: 'When was the tram Borealis built?', thread_id });
    expect(other.answer).toBe('The tram Borealis was built in 1990 in Graz. [1]');
  });

  it('searches the space of its thread, and refuses a thread that the key does not reach', async () => {
    const { thread_id } = (await post('/threads', { title: 'Inside', space_id: space.spaceId })).body;
    const { results } = await search({ query: 'What was built?', thread_id });
    expect(results.map((result: { title: string }) => result.title)).toEqual(['Inside']);
    expect((await post('/memory/search', { query: 'x', thread_id }, memory.newCaller())).status).toBe(404);
    const elsewhere = memory.newSpace(caller);
    const bound: Caller = {
      ...caller,
      identity: { ...caller.identity, kind: 'memory', memoryId: caller.memoryId, spaceId: elsewhere.spaceId },
    };
    expect((await post('/memory/search', { query: 'x', thread_id }, bound)).body.code).toBe('memory_not_permitted');
  });
});

describe('a time in the question', () => {
  it('is seen from the stated clock', async () => {
    const asked = async (as_of: string) =>
      (await search({ query: 'What did the board meet about last week?', as_of })).results[0].title;
    expect(await asked('2026-11-18T12:00:00Z')).toBe('New minutes');
    expect(await asked('2026-10-14T12:00:00Z')).toBe('Old minutes');
  });

  it('refuses a clock that is no time', async () => {
    const { status, body } = await post('/memory/search', { query: 'x', as_of: 'now' });
    expect([status, body.errors[0].path]).toEqual([422, 'as_of']);
  });
});

describe('suggested follow-ups', () => {
  it('each find something when asked', async () => {
    const { suggested_followups } = await search({ query: 'When was the ferry Aurora built?' });
    expect(suggested_followups.length).toBeGreaterThan(0);
    for (const query of suggested_followups) expect((await search({ query })).results.length).toBeGreaterThan(0);
  });
});
