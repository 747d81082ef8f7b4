import { describe, expect, it } from '@jest/globals';
import { readListRequest } from './criteria.ts';
import { findCandidates, profilesOf } from './find-candidates.ts';
import type { EntityKind } from './nouns.ts';

const TEXTS: readonly (readonly [title: string, body: string])[] = [
  [
    'Ines Quarto',
    'Ines Marie Quarto (born 3 May 1951) is a Portuguese oboist and former rowing coach. She studied at Coimbra University.',
  ],
  ['Tam Rees (musician)', 'Tam Rees, better known as Little Tam (born 1970), is a Welsh folk singer and songwriter.'],
  ['Ove Lind', 'Ove Lind (1802 – 9 June 1871) was a Norwegian-born American landscape painter known for his coasts.'],
  ['Harbour Light', 'Harbour Light is the second album by Irish singer Nora Quill. It was released in 1999.'],
  [
    'Kestrel Ale',
    'Kestrel Brewing Co. is a brewery in Hobart, Australia. The company was founded in 1888 by Jonas Kestrel.',
  ],
  [
    'Marlow Press',
    'Marlow Press is a Danish publishing house headquartered in Aarhus, Denmark. It was founded in 1954.',
  ],
  [
    'Ferro Arms',
    'Ferro Arms is an Italian company that designs and manufactures pistols and rifle barrels. It was founded in 1921.',
  ],
  ['Lens Works', 'Lens Works is a Swiss company that makes sights for rifles.'],
  ['Racing Night', 'Racing Night is a racing video game developed and published by Marlow Press.'],
];
const profiles = profilesOf(TEXTS.map(([title, body], at) => ({ source_id: `src_${at}`, title, uri: null, body })));

function search(prompt: string, kind: EntityKind) {
  const candidates = findCandidates(profiles, readListRequest(prompt, kind), kind);
  const rows = candidates.filter(({ checks }) => checks.every(({ met }) => met));
  return { candidates, rows, names: rows.map(({ name }) => name).toSorted() };
}

describe('a list finds in running text', () => {
  it.each([
    ['a role with a nationality', 'Portuguese oboists', ['Ines Quarto']],
    ['a wider role than the text names', 'Portuguese musicians', ['Ines Quarto']],
    ['a role that is not the first named', 'songwriters', ['Tam Rees']],
    ['a modifier of the role', 'folk singers', ['Tam Rees']],
    ['a former role', 'former coaches', ['Ines Quarto']],
    ['nationality, not the country of birth', 'American painters', ['Ove Lind']],
    ['where somebody studied, one of two', 'people who studied at Oslo or Coimbra University', ['Ines Quarto']],
    ['years of birth', 'people born before 1900', ['Ove Lind']],
    ['a country of a kingdom', 'British singers', ['Tam Rees']],
    ['nobody, when the country of birth alone fits', 'Norwegian painters', []],
    ['nobody whom a text about something else mentions once', 'Irish singers', []],
  ])('people by %s', (_, prompt, names) => {
    expect(search(prompt, 'person').names).toEqual(names);
  });

  it.each([
    ['the noun of the text', 'publishing houses', ['Marlow Press']],
    ['another word for it', 'publishers', ['Marlow Press']],
    ['what their noun means', 'beer companies', ['Kestrel Ale']],
    ['what they make, not what that is for', 'makers of rifles or pistols', ['Ferro Arms']],
    ['when they were founded', 'breweries and publishing companies founded before 1900', ['Kestrel Ale']],
    ['where they are', 'publishing houses in Denmark', ['Marlow Press']],
  ])('organisations by %s', (_, prompt, names) => {
    expect(search(prompt, 'organisation').names).toEqual(names);
  });

  it('fills the columns asked for, with a quote that the source has', () => {
    const { rows } = search('publishing houses with their headquarters and the year they were founded', 'organisation');
    const cells = rows.flatMap(({ columns }) => columns);
    expect(cells.map(({ column, value }) => [column, value])).toEqual([
      ['headquarters', expect.stringContaining('Aarhus')],
      ['year they were founded', '1954'],
    ]);
    for (const { evidence } of cells)
      for (const { quote, start, source_id } of evidence) {
        const body = TEXTS[Number(source_id.slice(4))]![1];
        expect(body.slice(start, start + quote.length)).toBe(quote);
      }
  });

  it('keeps who meets some conditions, with what is missing', () => {
    const { candidates, names } = search('Danish oboists', 'person');
    expect(names).toEqual([]);
    const [nearest] = candidates.filter(({ name }) => name === 'Ines Quarto');
    expect(nearest!.checks.map(({ met }) => met)).toEqual([true, false]);
  });
});

describe('a prompt of a list', () => {
  const kinds = (prompt: string, kind: EntityKind = 'person') =>
    readListRequest(prompt, kind).criteria.map(({ kind: what, values }) => [what, values]);

  it.each([
    [
      'Mexican politicians',
      [
        ['role', ['Mexican politicians']],
        ['nationality', ['Mexican']],
      ],
    ],
    [
      'engineers in Munich or Berlin',
      [
        ['role', ['engineers']],
        ['location', ['Munich', 'Berlin']],
      ],
    ],
    [
      'researchers at the Zamikum Institute',
      [
        ['role', ['researchers']],
        ['employer', ['Zamikum Institute']],
      ],
    ],
    [
      'Which people in my memory are Indian judges?',
      [
        ['role', ['Indian judges']],
        ['nationality', ['Indian']],
      ],
    ],
  ])('is understood: %s', (prompt, criteria) => {
    expect(kinds(prompt)).toEqual(criteria);
  });

  it('has columns apart from its conditions', () => {
    const { criteria, columns } = readListRequest('nurses, with their topic and the year they started', 'person');
    expect(criteria.map(({ kind }) => kind)).toEqual(['role']);
    expect(columns.map(({ name }) => name)).toEqual(['topic', 'year they started']);
    expect(readListRequest('people with experience in welding', 'person').columns).toEqual([]);
    const beside = readListRequest('Find jazz musicians with instrument and place of birth', 'person');
    expect(beside.columns.map(({ name }) => name)).toEqual(['instrument', 'place of birth']);
    expect(readListRequest('Find developers with education and Rust', 'person').columns).toEqual([]);
  });
});
