import { describe, expect, it } from '@jest/globals';
import { renamed } from './command-line.ts';

describe('commands that are called otherwise now', () => {
  it.each([
    [
      ['tenant', 'create', '--json'],
      ['operator', 'tenant', 'create', '--json'],
    ],
    [
      ['usage', 'rebuild', '--check'],
      ['operator', 'usage', 'rebuild', '--check'],
    ],
    [
      ['broker', 'prepare'],
      ['operator', 'broker', 'prepare'],
    ],
    [
      ['ingest', 'a.md'],
      ['add', 'a.md'],
    ],
  ])('%j still works, and the present name is said', (former, present) => {
    const said: string[] = [];
    expect(renamed(former, (line) => said.push(line))).toEqual(present);
    expect(said).toHaveLength(1);
  });

  it('leaves the others as they are', () => {
    const said: string[] = [];
    for (const words of [['usage'], ['ask', 'tenant'], [], ['constructor']])
      expect(renamed(words, (line) => said.push(line))).toEqual(words);
    expect(said).toEqual([]);
  });
});
