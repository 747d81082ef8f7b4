import { describe, expect, it } from '@jest/globals';
import type { Fact } from '@cairn/sdk';
import { sidesOf } from './group-sides.ts';

const fact = (value: string, doc_id: string, negated = false) => ({ value, doc_id, negated }) as Fact;

describe('the sides of a contradiction', () => {
  it('are its values: equal ones are one side', () => {
    const sides = sidesOf([fact('12 May', 'doc_1'), fact('14 May', 'doc_2'), fact('12  may ', 'doc_3')]);
    expect(sides.map(({ value, facts }) => [value, facts.length])).toEqual([
      ['12 May', 2],
      ['14 May', 1],
    ]);
  });

  it('put first what most documents say, however often one document says something else', () => {
    const sides = sidesOf([
      fact('a', 'doc_1'),
      fact('a', 'doc_1'),
      fact('a', 'doc_1'),
      fact('b', 'doc_2'),
      fact('b', 'doc_3'),
    ]);
    expect(sides.map(({ value }) => value)).toEqual(['b', 'a']);
  });

  it('keep a denial apart from what it denies', () => {
    expect(sidesOf([fact('open', 'doc_1'), fact('open', 'doc_2', true)])).toHaveLength(2);
  });
});
