import { describe, expect, it } from '@jest/globals';
import { shopSite, tableSite, teamSite, wikiSite } from '../../tests/record-sites.ts';
import { readRecordPage as readTask } from '../workers/tasks.ts';
import { readRecordPage } from './read-record-page.ts';
import { rowQueryOf } from './row-query.ts';

const read = (pages: ReadonlyMap<string, string>, path: string, prompt: string) =>
  readRecordPage({
    html: pages.get(path)!,
    url: `http://site.example${path}`,
    query: rowQueryOf(prompt)!,
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

  it('fail an amount that looks like a year, and meet one by its unit', () => {
    const page = (price: string, height: string) =>
      new Map([
        [
          '/x',
          `<html><body><h1>Aurora 13</h1><dl><dt>Category</dt><dd>Laptop</dd><dt>Price</dt><dd>${price}</dd><dt>Summit</dt><dd>${height}</dd></dl><p>The Aurora 13 is a laptop.</p></body></html>`,
        ],
      ]);
    const fit = (pages: Map<string, string>, prompt: string) => read(pages, '/x', prompt).records[0]?.fit;
    const under = 'Collect all laptops under 1500 with price';
    expect([fit(page('€1,299', '-'), under), fit(page('€1,799', '-'), under)]).toEqual(['strong', 'other']);
    const over = 'Collect all laptops over 2000 metres with price';
    expect([fit(page('€5', '2,310 m'), over), fit(page('€5', '910 m'), over)]).toEqual(['strong', 'other']);
  });

  it('keep columns with the names of inherited properties', () => {
    const row = '<tr><td>Lotus</td><td>Chapman</td><td>Hethel</td></tr>';
    const html = `<html><body><h1>Cars</h1><table><thead><tr><th>Name</th><th>Constructor</th><th>City</th></tr></thead><tbody>${row}${row.replace('Lotus', 'Elan')}</tbody></table></body></html>`;
    const page = read(new Map([['/cars', html]]), '/cars', 'Collect all cars with columns constructor and city');
    expect(page.records[0]?.cells['constructor']?.value).toBe('Chapman');
    const all = read(new Map([['/cars', html.replaceAll('Constructor', 'constructor')]]), '/cars', 'Collect all cars');
    expect(Object.keys(all.records[0]?.cells ?? {})).toContain('constructor');
  });

  it('have addresses relative to the base of the page', () => {
    const items = ['Alva', 'Brenn', 'Corda'].map((name) => `<li><a href="${name}.html">${name}</a></li>`).join('');
    const html = `<html><head><base href="/rivers/"></head><body><h1>Rivers</h1><ul>${items}</ul></body></html>`;
    const page = read(new Map([['/list', html]]), '/list', 'Collect every river with length');
    expect(page.ranked.map(({ url }) => url)).toEqual(
      ['Alva', 'Brenn', 'Corda'].map((name) => `http://site.example/rivers/${name}.html`),
    );
  });

  it('never cut a character in two, and hold nothing that a database refuses', async () => {
    const bell = '\u{1F514}';
    const long = `a${bell.repeat(400)}`;
    const data = String.raw`{"@type":"Product","name":"Bell \u0000 \ud83d","sku":"${long}","brand":"${bell.repeat(400)}"}`;
    const html = `<html><head><script type="application/ld+json">${data}</script></head><body><h1>Bell</h1><p>${long} &#0; &#xD83D; b${long}</p></body></html>`;
    const page = await readTask({
      html,
      url: 'http://site.example/bell',
      query: rowQueryOf('Collect all products with columns sku and brand')!,
      template: '',
      depth: 0,
    });
    const record = page!.records.find(({ name }) => name.startsWith('Bell \uFFFD'))!;
    // JSON writes what cannot be stored as escapes; the page's own JSON-LD has its escapes doubled.
    expect(/(?<!\\)\\u(?:0000|d[89a-f])/i.test(JSON.stringify({ ...page, jsonLd: [] }))).toBe(false);
    for (const { value, quote, start } of Object.values(record.cells)) {
      expect(value.isWellFormed()).toBe(true);
      expect(value.includes('\uFFFD')).toBe(false);
      expect(page!.text.slice(start, start + quote.length) === quote).toBe(true);
    }
  });

  it('keeps a page of another kind out, and ranks the next page of a list before its other links', () => {
    const { pages } = shopSite();
    expect(read(pages, '/blog/note-1/', 'Collect all products with price').records).toEqual([]);
    const { ranked } = read(pages, '/shop/', 'Collect all products with price');
    expect(ranked.toSorted((a, b) => b.rank - a.rank)[0]?.url).toBe('http://site.example/shop/page/2/');
  });
});
