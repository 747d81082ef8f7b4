import { describe, expect, it } from '@jest/globals';
import { parseSearch, stringifySearch, strings } from './search-strings.ts';

describe('search parameters', () => {
  it('are the same after they were written into an address', () => {
    const search = { query: 'a & b = “c”', status: 'failed', number: '5' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  it('that are empty are left out', () => {
    expect(stringifySearch({ query: '', status: undefined })).toBe('');
  });

  it('that a screen does not name are dropped', () => {
    expect(strings('query')({ query: 'x', other: 'y', status: 3 })).toEqual({ query: 'x' });
  });
});
