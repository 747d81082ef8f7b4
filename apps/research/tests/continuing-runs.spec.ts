import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stepKeyOf } from '../src/ledger/step-key.ts';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
const PILOTS = ['Nora Quist', 'Ole Brandt', 'Per Dahl', 'Ida Holm', 'Jan Vester', 'Lis Krog'];

beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push({
    docId: 'doc_directory',
    title: 'Directory',
    text: [
      'name,job title,city',
      ...PILOTS.map((name) => `${name},Harbour pilot,Emden`),
      'Eva Lund,Harbour pilot,Kiel',
    ].join('\n'),
  });
});
afterAll(() => research.close());

async function started(totalTarget: number) {
  const { body } = await research.call('POST', '/api/v1/search/workflow/people/start', {
    prompt: 'Find harbour pilots in Emden',
    total_target: totalTarget,
  });
  const { list_id } = await research.until(body.thread_id, 'completed', 'failed');
  return { threadId: body.thread_id as string, listId: list_id as string };
}

async function continued({ threadId, listId }: { threadId: string; listId: string }, totalTarget: number) {
  const more = { thread_id: threadId, total_target: totalTarget };
  expect((await research.call('POST', '/api/v1/search/workflow/continue', more)).status).toBe(200);
  const status = await research.until(threadId, 'completed', 'failed');
  const { body } = await research.call('GET', `/api/v1/search/lists/${listId}/rows?limit=200`);
  return { status, names: body.data.map(({ name }: { name: string }) => name) as string[] };
}

/** Replaces what this version has stored of the steps by what the version before the reader of lists stored. */
async function storedByOldVersion(threadId: string, rejected: string) {
  const [listed] = await research.ask<{ identity_key: string }>(
    'SELECT identity_key FROM list_rows JOIN lists USING (list_id) WHERE run_id = $1',
    [threadId],
  );
  await research.ask(
    `DELETE FROM run_steps WHERE run_id = $1
        AND step_key ~ '^(criteria|candidate|candidates|nearly|empty)(/|$)'`,
    [threadId],
  );
  const criteria = [{ criterion_id: 'crt_1', kind: 'role', text: 'harbour pilots', value: 'harbour pilot' }];
  const steps = [
    ['criteria', criteria],
    [`candidate/${stepKeyOf(listed!.identity_key)}`, true],
    [`candidate/${stepKeyOf(listed!.identity_key.replace(/.*/, rejected.toLowerCase()))}`, false],
  ] as const;
  for (const [key, result] of steps)
    await research.ask(
      `INSERT INTO run_steps (tenant_id, run_id, step_key, result)
       SELECT tenant_id, run_id, $2, $3 FROM runs WHERE run_id = $1`,
      [threadId, key, JSON.stringify(result)],
    );
}

describe('a list search that is continued', () => {
  it('goes on from the steps of an older version, and lists who it had rejected and now matches', async () => {
    const search = await started(1);
    await storedByOldVersion(search.threadId, 'Per Dahl');
    const { status, names } = await continued(search, 5);
    expect(status.error).toBeNull();
    expect([names.length, new Set(names).size]).toEqual([5, 5]);
    const all = await continued(search, 6);
    expect(all.names.toSorted()).toEqual(PILOTS.toSorted());
  }, 60_000);

  it('tells each candidate that nearly matches once', async () => {
    const search = await started(2);
    await continued(search, 4);
    const rejected = (await research.events(search.threadId)).filter(({ type }) => type === 'row.rejected');
    expect(rejected.map(({ data }) => data.name)).toEqual(['Eva Lund']);
  }, 60_000);

  it('lists what it has read when its budget is used up, and does not say that nobody matches', async () => {
    const search = await started(1);
    await research.ask('DELETE FROM list_rows WHERE list_id = $1', [search.listId]);
    await research.ask('UPDATE lists SET records = 0 WHERE list_id = $1', [search.listId]);
    await research.ask('UPDATE research_runs SET text_chars = 16000000 WHERE run_id = $1', [search.threadId]);
    await research.ask(`DELETE FROM run_steps WHERE run_id = $1 AND step_key LIKE 'candidate/%'`, [search.threadId]);
    const { names } = await continued(search, 3);
    expect(names).toHaveLength(3);
    const notes = (await research.events(search.threadId)).flatMap(({ data }) => data.note ?? []);
    expect(notes).toEqual([]);
  }, 60_000);
});

describe('a research run that another version began', () => {
  it('plans its own questions, whatever the other version stored as its plan', async () => {
    const { body } = await research.call('POST', '/api/v1/search/research/start', {
      query: 'Who are the harbour pilots in Emden?',
      config: { sources: ['memory'] },
    });
    const threadId = body.thread_id as string;
    await research.until(threadId, 'completed', 'failed');
    await research.ask('DELETE FROM run_steps WHERE run_id = $1', [threadId]);
    await research.ask(
      `INSERT INTO run_steps (tenant_id, run_id, step_key, result)
       SELECT tenant_id, run_id, 'plan/questions', '["What does the weather do?"]' FROM runs WHERE run_id = $1`,
      [threadId],
    );
    await research.ask(
      `UPDATE runs SET status = 'queued', result = NULL, finished_at = NULL, attempts = 0 WHERE run_id = $1`,
      [threadId],
    );
    const status = await research.until(threadId, 'completed', 'failed');
    expect(status.error).toBeNull();
    const plans = (await research.events(threadId)).filter(({ type }) => type === 'plan.ready');
    expect(plans).toHaveLength(2);
    expect(plans[1]!.data.questions).toEqual(plans[0]!.data.questions);
  }, 60_000);
});
