import { describe, expect, it } from '@jest/globals';
import { oneLine, printable } from './printable.ts';
import { show, tableLines } from './show.ts';

describe('what is printed', () => {
  it('has columns as wide as their widest cell, and a dash where there is nothing', () => {
    expect(
      tableLines(
        ['id', 'name'],
        [
          ['a', null],
          ['longer', 'x'],
        ],
      ),
    ).toEqual(['id      name', 'a       -', 'longer  x']);
  });

  it('cannot steer the terminal, whatever a document says', () => {
    expect(printable('a\u001b[31mred\u001b[0m\u0007\u009b2Jb\nc')).toBe('aredb\nc');
    expect(oneLine(' two\n lines\u001b]0;title\u0007 ')).toBe('two lines');
  });
});

describe('a key or a run', () => {
  it('is shown without what its name would do to the terminal, and whole as JSON', () => {
    const shown = (json: boolean) => {
      const lines: string[] = [];
      const session = { flags: { json }, streams: { stdout: {} }, answer: (line = '') => void lines.push(line) };
      show(session as never, { name: 'red\u001b[31m' }, ({ name }) => [name]);
      return lines;
    };
    expect(shown(false)).toEqual(['red']);
    expect(shown(true)).toEqual(['{"name":"red\\u001b[31m"}']);
  });
});
