import { describe, expect, it } from '@jest/globals';
import { checkEntries, modelFields } from './model-entries.ts';
import type { ProfileSource } from './profile.ts';

const source = (title: string, body: string): ProfileSource => ({ source_id: `src_${title}`, title, uri: null, body });
const SOURCES = [
  source(
    'Ada Lorn',
    'Ada Lorn (born 3 May 1961) is a Norwegian painter. She studied at the Bergen Academy. She never lived in Oslo.',
  ),
  source('Iver Dahl', 'Iver Dahl is the son of a painter. Iver Dahl sells boats in Bergen.'),
];
const FIELDS = modelFields({
  criteria: [],
  columns: [
    { name: 'born', attribute: 'birth_date' },
    { name: 'studied', attribute: 'education' },
    { name: 'city', attribute: 'location' },
  ],
});
const entry = (name: string, number: number, field: string, value: string, quote: string) => ({
  entries: [{ name, source: number, values: [{ field, value, quote }] }],
});
const check = (...given: Parameters<typeof entry>) => checkEntries(entry(...given), SOURCES, FIELDS);
const ADA = 'Ada Lorn (born 3 May 1961) is a Norwegian painter.';

describe('what a model reads for a list', () => {
  it.each([
    ['description', 'Norwegian painter', ADA, 'class'],
    ['born', '3 May 1961', ADA, 'birth_date'],
    ['studied', 'Bergen Academy', 'She studied at the Bergen Academy.', 'education'],
  ])('is a fact with its sentence when that says it: %s', (field, value, quote, kind) => {
    const { profiles, dropped } = check('Ada Lorn', 1, field, value, quote);
    expect(dropped).toBe(0);
    expect(profiles.map(({ name }) => name)).toEqual(['Ada Lorn']);
    const [fact] = profiles[0]!.facts;
    expect(fact).toMatchObject({ kind, value });
    expect(SOURCES[0]!.body.slice(fact!.quote.start, fact!.quote.start + fact!.quote.quote.length)).toBe(
      fact!.quote.quote,
    );
  });

  it.each<[string, Parameters<typeof entry>]>([
    ['another number', ['Ada Lorn', 1, 'born', '3 May 1978', ADA]],
    ['a quote that the source does not have', ['Ada Lorn', 1, 'born', '3 May 1978', 'Ada Lorn was born 3 May 1978.']],
    ['another source', ['Ada Lorn', 2, 'description', 'Norwegian painter', ADA]],
    ['a source that is not there', ['Ada Lorn', 97, 'description', 'Norwegian painter', ADA]],
    ['another name', ['Iver Dahl', 1, 'description', 'Norwegian painter', ADA]],
    ['what is not written as a name', ['pay at http://pay.example', 1, 'description', 'Norwegian painter', ADA]],
    ['what is denied', ['Ada Lorn', 1, 'city', 'Oslo', 'She never lived in Oslo.']],
    ['what another is', ['Iver Dahl', 2, 'description', 'painter', 'Iver Dahl is the son of a painter.']],
    ['a field that nobody asked for', ['Ada Lorn', 1, 'wealth', '1961', ADA]],
  ])('is left out with %s', (_what, given) => {
    expect(check(...given)).toEqual({ profiles: [], dropped: 1 });
  });
});
