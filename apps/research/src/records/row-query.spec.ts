import { describe, expect, it } from '@jest/globals';
import { rowQueryOf } from './row-query.ts';

describe('what a prompt wants collected', () => {
  it.each([
    ['Collect every river of this wiki with columns length and mouth', ['river'], [], ['length', 'mouth']],
    ['Make a table of all team members: name, role, email', ['members'], ['team'], ['name', 'role', 'email']],
    ['For each book, collect title, author and price', ['book'], [], ['title', 'author', 'price']],
    [
      'List the names, prices and ratings of all hotels in Vienna',
      ['hotels'],
      ['Vienna'],
      ['names', 'prices', 'ratings'],
    ],
    [
      'Gather every museum listed here. Columns: city, opening year, curator',
      ['museum'],
      [],
      ['city', 'opening year', 'curator'],
    ],
    [
      'Collect all jazz drummers and bassists with their year of birth',
      ['drummers', 'bassists'],
      ['jazz'],
      ['year of birth'],
    ],
  ])('%s', (prompt, kinds, qualifiers, columns) => {
    expect(rowQueryOf(prompt)).toEqual({ kinds, qualifiers, bounds: [], columns });
  });

  it('is the same wherever the site is named', () => {
    const query = { kinds: ['products'], qualifiers: [], bounds: [], columns: ['price', 'brand'] };
    expect(rowQueryOf('Collect all products with columns price and brand from https://shop.example/')).toEqual(query);
    expect(rowQueryOf('Collect all products of https://shop.example/ with columns price and brand')).toEqual(query);
    expect(rowQueryOf('Go to https://shop.example/ and collect all products with price and brand')).toEqual(query);
  });

  it('takes years and amounts for bounds', () => {
    const books = rowQueryOf('Find all books published after 1950 with author and price');
    expect(books?.bounds).toEqual([{ about: 'published', unit: '', least: 1950.000001, most: null, isYear: true }]);
    const born = rowQueryOf('Collect all painters born in the 1870s with nationality');
    expect(born?.bounds).toEqual([{ about: 'born', unit: '', least: 1870, most: 1879, isYear: true }]);
  });

  it.each([
    ['Collect all laptops under 1500 with brand', '', '', false],
    ['Collect all laptops under 1500 euros with brand', 'price', '', false],
    ['Collect all sofas for less than $1,999 with brand', 'price', '', false],
    ['Collect all mountains over 2000 metres with country', '', 'm', false],
    ['Collect all firms with more than 1200 employees with city', '', 'employees', false],
    ['Collect all novels from before 1950 with author', '', '', true],
    ['Collect all firms founded between 1950 and 1975 with city', 'founded', '', true],
  ])('tells years from amounts in “%s”', (prompt, about, unit, isYear) => {
    expect(rowQueryOf(prompt)?.bounds).toEqual([expect.objectContaining({ about, unit, isYear })]);
  });

  it.each([
    'Read https://example.org/ and list what it says about the harbour',
    'When does the museum open?',
    'https://example.org/',
  ])('is nothing for “%s”', (prompt) => {
    expect(rowQueryOf(prompt)).toBeNull();
  });
});
