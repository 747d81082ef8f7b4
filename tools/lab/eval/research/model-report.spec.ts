import { describe, expect, it } from '@jest/globals';
import type { ModelRun } from './measure-model.ts';
import { isAcceptable, modelSection } from './model-report.ts';

const REPORT: ModelRun = {
  mode: 'honest',
  kind: 'research',
  status: 'completed',
  generated: true,
  announced: false,
  calls: 2,
  tokens: 1_700,
  sent: 20,
  published: 20,
  lies: 0,
  liesPublished: [],
  unsupported: [],
  coverage: 1,
  rows: 0,
  list: null,
};
const LIST: ModelRun = {
  ...REPORT,
  kind: 'people',
  generated: false,
  sent: 0,
  published: 0,
  coverage: null,
  rows: 8,
  list: { found: 8, gold: 10, wrong: 0 },
};

describe('what a run with a scripted model has to be', () => {
  it('is met by a good report and a good list', () => {
    expect([isAcceptable(REPORT), isAcceptable(LIST)]).toEqual([true, true]);
  });

  it.each<[string, Partial<ModelRun>]>([
    ['failed', { status: 'failed' }],
    ['published a lie', { liesPublished: ['x'] }],
    ['published what nothing supports', { unsupported: ['x'] }],
    ['left out sentences of an honest model', { published: 17 }],
    ['covered too little', { coverage: 0.8 }],
    ['used no text of the model and does not say so', { generated: false }],
  ])('is not when a report %s', (_what, change) => expect(isAcceptable({ ...REPORT, ...change })).toBe(false));

  it.each<[string, NonNullable<ModelRun['list']>]>([
    ['lacks rows', { found: 6, gold: 10, wrong: 0 }],
    ['is empty', { found: 0, gold: 10, wrong: 0 }],
    ['has rows of others', { found: 8, gold: 10, wrong: 2 }],
  ])('is not when a list %s', (_what, list) => expect(isAcceptable({ ...LIST, mode: 'refusal', list })).toBe(false));

  it('is shown for each: sentences of a report, rows of a list', () => {
    const section = modelSection([REPORT, LIST]);
    expect(section).toContain('| 20 of 20 |');
    expect(section).toContain('| 8 of 10 rows, 0 wrong |');
  });
});
