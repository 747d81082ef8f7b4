import { describe, expect, it } from '@jest/globals';
import { shopSite, tableSite, teamSite, wikiSite } from '../../tests/record-sites.ts';
import { readRecordPage } from './read-record-page.ts';
import { recordWish } from './record-wish.ts';

const read = (pages: ReadonlyMap<string, string>, path: string, prompt: string) =>
  readRecordPage({
    html: pages.get(path)!,
    url: `http://site.example${path}`,
    wish: recordWish(prompt)!,
    template: '',
    depth: 0,
  });
const valuesOf = (page: ReturnType<typeof read>) =>
  page.records.map(({ name, fit, cells }) => [
    name,
    fit,
    Object.fromEntries(Object.entries(cells).map(([column, { value }]) => [column, value])),
  ]);

describe('records of a page', () => {
  it('are read from JSON-LD, quoted from the text that is stored', () => {
    const page = read(
      shopSite().pages,
      '/product/oslo-lamp/',
      'Collect all products with columns price, brand and sku',
    );
    expect(valuesOf(page)).toEqual([
      ['Oslo Lamp', 'strong', { price: '19.50 EUR', brand: 'Nordwood', sku: 'SK-4000' }],
    ]);
    for (const { quote, start } of Object.values(page.records[0]!.cells)) {
      expect(quote).not.toBe('');
      expect(page.text.slice(start, start + quote.length)).toBe(quote);
    }
  });

  it('are the cards of a list, with the address of their own pages', () => {
    const page = read(shopSite().pages, '/shop/', 'Collect all products with columns price, brand and sku');
    expect(page.records.map(({ name, url, cells }) => [name, url, cells['price']?.value])).toContainEqual([
      'Turin Chair',
      'http://site.example/product/turin-chair/',
      '€26.50',
    ]);
    expect(page.records).toHaveLength(4);
  });

  it('are the members of a team that only classes describe', () => {
    const { pages, rows } = teamSite();
    const page = read(pages, '/team/', 'Make a table of all team members: role, email');
    expect(valuesOf(page)).toEqual(rows.map(({ name, cells }) => [name, 'strong', cells]));
  });

  it('are read from an infobox, unless it is of another kind', () => {
    const { pages } = wikiSite();
    const prompt = 'Collect every river with columns length and mouth';
    expect(valuesOf(read(pages, '/wiki/Alva', prompt))).toEqual([
      ['Alva', 'strong', { length: '40 km', mouth: 'Lake Orm' }],
    ]);
    expect(valuesOf(read(pages, '/wiki/Grey_Fell', prompt))).toEqual([]);
  });

  it('do not count when they fail a restriction', () => {
    const { pages } = wikiSite();
    const prompt = 'Collect all rivers in Norway with length';
    expect(read(pages, '/wiki/Alva', prompt).records.map(({ fit }) => fit)).toEqual(['strong']);
    expect(read(pages, '/wiki/Brenn', prompt).records.map(({ fit }) => fit)).toEqual(['other']);
  });

  it('are the rows of a table, by the words of its header', () => {
    const { pages, rows } = tableSite();
    const page = read(pages, '/catalogue?page=1', 'List all books of this catalogue with author and year');
    expect(valuesOf(page)).toEqual(rows.slice(0, 4).map(({ name, cells }) => [name, 'strong', cells]));
  });

  it('keeps a page of another kind out, and ranks the next page of a list before its other links', () => {
    const { pages } = shopSite();
    expect(read(pages, '/blog/note-1/', 'Collect all products with price').records).toEqual([]);
    const { ranked } = read(pages, '/shop/', 'Collect all products with price');
    expect(ranked.toSorted((a, b) => b.rank - a.rank)[0]?.url).toBe('http://site.example/shop/page/2/');
  });
});
