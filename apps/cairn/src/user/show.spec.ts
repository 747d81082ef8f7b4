import { describe, expect, it } from '@jest/globals';
import { oneLine, printable, tableLines } from './show.ts';

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
