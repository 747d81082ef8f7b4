import { afterAll, expect, it } from '@jest/globals';
import { createFileReader } from '../src/uploads/file-reader.ts';
import { createTextWorkers } from '../src/workers/text-workers.ts';

const text = createTextWorkers({ workers: 1, cpuMaxMs: 60_000 });
const files = createFileReader(text);
afterAll(() => text.close());

it.each([
  ['a column of CSV', 'accounts.csv', 'host,password,role\nalpha,sunshine,admin\nbeta,n/a,guest\n'],
  ['the second of two columns', 'accounts.csv', 'host,password\nalpha,sunshine\nbeta,n/a\n'],
  ['a member of JSON', 'accounts.json', '[{"host":"alpha","password":"sunshine"}]'],
  [
    'a name and a value in JSON',
    'accounts.json',
    '[{"name":"host","value":"alpha"},{"name":"password","value":"sunshine"}]',
  ],
  ['an element of XML', 'accounts.xml', '<account><host>alpha</host><password>sunshine</password></account>'],
])(
  'the text of a reference file has no secret that was %s',
  async (_what, name, content) => {
    const task = { bytes: Buffer.from(content), name, policy: 'secrets' as const };
    const file = await files.read('tnt_1', task, new AbortController().signal);
    expect(file).toMatchObject({ ok: true, text: expect.stringContaining('[[PASSWORD_1]]') });
    expect(JSON.stringify(file)).not.toContain('sunshine');
    expect(JSON.stringify(file)).toContain('alpha');
  },
  60_000,
);
