import { describe, expect, it } from '@jest/globals';
import { WorkerFailure } from '@cairn/workers';
import type { RunContext } from '../ledger/run-context.ts';
import { computeAnswers } from './compute-answers.ts';

const source = (source_id: string, kind: 'upload' | 'web') => ({ source_id, kind, title: source_id, body: 'a;b' });
const CONTEXT = { tenantId: 'tnt_1', input: { prompt: 'How many?' }, signal: AbortSignal.timeout(5_000) };

/** Asks over the sources, with a task that is ended by whatever `isTooMuch`. */
async function ask(sources: ReturnType<typeof source>[], isTooMuch: (ids: string[]) => boolean) {
  const asked: string[][] = [];
  const run = async (_tenantId: string, task: { sources: { source_id: string }[] }) => {
    const ids = task.sources.map(({ source_id }) => source_id);
    asked.push(ids);
    if (isTooMuch(ids)) throw new WorkerFailure('timed_out', 'the task took too long');
    return ids.map((source_id) => ({ questions: [0], text: '3', source_id, title: source_id, rows: [] }));
  };
  const answers = await computeAnswers(
    { text: { run } as never },
    CONTEXT as unknown as RunContext,
    ['How many?'],
    sources as never,
  );
  return { asked, answered: answers.map(({ source_id }) => source_id) };
}

describe('what tables say to questions', () => {
  it('is asked of all sources together', async () => {
    const { asked, answered } = await ask([source('mine', 'upload'), source('page', 'web')], () => false);
    expect([asked, answered]).toEqual([[['mine', 'page']], ['mine', 'page']]);
  });

  it('is asked of the asker’s own files alone when all together are too much', async () => {
    const { asked, answered } = await ask([source('mine', 'upload'), source('page', 'web')], (ids) =>
      ids.includes('page'),
    );
    expect([asked, answered]).toEqual([[['mine', 'page'], ['mine']], ['mine']]);
  });

  it('is nothing when there is no smaller part to ask, or that is too much, too', async () => {
    expect((await ask([source('page', 'web')], () => true)).asked).toHaveLength(1);
    expect((await ask([source('mine', 'upload')], () => true)).asked).toHaveLength(1);
    const both = await ask([source('mine', 'upload'), source('page', 'web')], () => true);
    expect([both.asked.length, both.answered]).toEqual([2, []]);
  });
});
