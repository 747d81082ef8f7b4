import { describe, expect, it } from '@jest/globals';
import { requestedColumns } from './requested-columns.ts';

const read = (prompt: string) => {
  const { columns, rest } = requestedColumns(prompt);
  return [rest, columns.map(({ name }) => name)];
};

describe('columns of a list', () => {
  it.each([
    ['chemists and what they discovered', 'chemists', ['what they discovered']],
    ['tennis coaches and the player they trained', 'tennis coaches', ['player they trained']],
    ['Find architects and which buildings they designed', 'Find architects', ['which buildings they designed']],
    ['breweries and their owner', 'breweries', ['owner']],
  ])('may be clauses about those asked for: %s', (prompt, rest, columns) => {
    expect(read(prompt)).toEqual([rest, columns]);
  });

  it.each(['painters and sculptors', 'people who know Java and the boats of Norway', 'coaches and what is left'])(
    'are no conditions: %s',
    (prompt) => {
      expect(read(prompt)).toEqual([prompt, []]);
    },
  );
});
