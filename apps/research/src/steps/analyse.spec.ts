import { describe, expect, it } from '@jest/globals';
import { WorkerFailure } from '@cairn/workers';
import type { TextWorkers } from '../workers/text-workers.ts';
import { createRequestReader } from '../request/parse-request.ts';
import { readingModel } from '../text/reading-model.ts';
import { analysePrompt, analyseSources } from './analyse.ts';

const RUN = { tenantId: 'tnt_1', signal: new AbortController().signal };
const source = (name: string) => ({ source_id: `src_${name}`, title: name, body: name });
const REQUEST = createRequestReader(readingModel()).understand('What is it?');
const SOURCES = ['one', 'hostile', 'two'].map(source);

/** Workers in which a task fails when it contains the word. */
function workersFailingOn(word: string | RegExp): { text: TextWorkers } {
  const run = (_tenantId: string, task: unknown) =>
    JSON.stringify(task).match(word) === null
      ? Promise.resolve(task)
      : Promise.reject(new WorkerFailure('timed_out', 'ended'));
  return {
    text: { run: run as never, isWarm: () => true, warm: () => Promise.resolve(), close: () => Promise.resolve() },
  };
}
const taskOf = (some: readonly ReturnType<typeof source>[]) => ({ request: REQUEST, sources: some });

describe('an analysis that ends its worker', () => {
  it('of a prompt fails the run with words that its owner understands', async () => {
    const analysed = analysePrompt(workersFailingOn('endless'), RUN, 'isTopic', 'an endless prompt');
    await expect(analysed).rejects.toMatchObject({
      name: 'RunFailure',
      code: 'prompt_unreadable',
      message: 'Analysing the prompt took too long. Put it in fewer or simpler words.',
    });
  });

  it('of sources leaves out the one that spoils it, and says so', async () => {
    const { result, skipped } = await analyseSources(workersFailingOn('hostile'), RUN, 'noteFindings', SOURCES, taskOf);
    expect(result).toEqual(taskOf([source('one'), source('two')]));
    expect(skipped).toEqual([
      { type: 'source.skipped', data: { origin: 'hostile', source_id: 'src_hostile', reason: 'reading_timed_out' } },
    ]);
  });

  it('of sources fails the run when none of them alone is to blame', async () => {
    const analysed = analyseSources(workersFailingOn(/src_one.*src_two/), RUN, 'noteFindings', SOURCES, taskOf);
    await expect(analysed).rejects.toMatchObject({ name: 'RunFailure', code: 'sources_unreadable' });
  });
});
