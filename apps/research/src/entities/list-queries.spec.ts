import { describe, expect, it } from '@jest/globals';
import { readListRequest } from './criteria.ts';
import { listQueries } from './list-queries.ts';

const queries = (prompt: string) => listQueries(prompt, readListRequest(prompt, 'person'), 'person');

describe('what is searched for a list', () => {
  it('is a class in other words, too', () => {
    expect(queries('astronauts')).toEqual(expect.arrayContaining(['astronauts', 'astronaut', 'cosmonaut']));
  });

  it('is what texts may call it that counts as the same', () => {
    expect(queries('soccer players')).toEqual(expect.arrayContaining(['footballer', 'football player']));
    expect(queries('backend engineers')).toEqual(expect.arrayContaining(['backend developer', 'server-side engineer']));
  });

  it('is no arbitrary few of the many words for a class as wide as women', () => {
    expect(queries('women who were novelists').sort()).toEqual(['novelist', 'woman', 'women who were novelists']);
  });
});
