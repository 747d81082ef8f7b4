import { describe, expect, it } from '@jest/globals';
import { listPlanText } from './list-plan-text.ts';

const request = (texts: string[], columns: string[] = []) => ({
  criteria: texts.map((text) => ({ text })),
  columns: columns.map((name) => ({ name })),
});

describe('the brief of a list', () => {
  it('describes who is searched for, the columns, and the places', () => {
    const brief = listPlanText('people', request(['chemists', 'born in Oslo'], ['employer', 'year of birth']), {
      prompt: 'chemists born in Oslo with employer and year of birth ',
      target: 20,
      places: ['the memory', 'example.org'],
    });
    expect(brief).toBe(
      [
        'Asked: chemists born in Oslo with employer and year of birth',
        '',
        'Listed: up to 20 people of whom a source says all of this, one row each:',
        '- chemists',
        '- born in Oslo',
        '',
        'Told of each: employer, year of birth.',
        '',
        'Sources: the memory and example.org.',
      ].join('\n'),
    );
  });

  it('leaves out what was not asked for', () => {
    const brief = listPlanText('company', request(['breweries']), { prompt: 'breweries', target: null, places: [] });
    expect(brief).toBe(
      'Asked: breweries\n\nListed: companies and other organisations of which a source says this, one row each:\n- breweries\n\nSources: none.',
    );
  });
});
