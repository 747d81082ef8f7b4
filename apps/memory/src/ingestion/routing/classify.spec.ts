import { describe, expect, it } from '@jest/globals';
import { createRouter } from './classify.ts';
import { countTerms } from './terms.ts';

const FINANCE = { spaceId: 'finance', name: 'Finance', description: 'Invoices, budgets and taxes' };
const ENGINEERING = { spaceId: 'engineering', name: 'Engineering', description: 'How our software is built' };

const routeOf = (text: string, learned: { finance: string[]; engineering: string[] }) =>
  createRouter([
    { ...FINANCE, learned: learned.finance.map((each) => countTerms([each])) },
    { ...ENGINEERING, learned: learned.engineering.map((each) => countTerms([each])) },
  ]).route(countTerms([text]));
const NOTHING = { finance: [], engineering: [] };
const picnic = (day: string) => `Picnic by the lake on ${day}: bring cake, blankets and a swimming costume.`;

describe('a route', () => {
  it.each([
    ['Two invoices were paid by bank transfer, and the auditors ask for the tax statement.', 'finance'],
    ['The deploy was rolled back because the migration locked a table of the database.', 'engineering'],
  ])('is sure when several words speak for it: %s', (text, spaceId) => {
    expect(routeOf(text, NOTHING)).toMatchObject({ spaceId, needsReview: false });
  });

  it('goes to review when it hangs on one word, however often that stands there', () => {
    const route = routeOf('Invoices: two invoices came with the cake.', NOTHING);
    expect(route).toMatchObject({ spaceId: 'finance', needsReview: true });
    expect(route.confidence).toBeGreaterThan(2 / 3);
  });

  it('goes to review when half of the text belongs to another space, however much there is of both', () => {
    const ours = 'Two invoices were paid by bank transfer, and the auditors ask for the tax statement of the quarter.';
    const theirs = 'The deploy of the api was rolled back because the migration locked a table of the database.';
    expect(routeOf(ours, NOTHING)).toMatchObject({ spaceId: 'finance', needsReview: false });
    expect(routeOf(theirs, NOTHING)).toMatchObject({ spaceId: 'engineering', needsReview: false });
    for (const both of [`${ours} ${theirs}`, `${theirs} ${ours} `.repeat(3)])
      expect(routeOf(both, NOTHING)).toMatchObject({ needsReview: true });
  });

  it('goes to review when the spaces hold documents that are as much alike, and more of them in one', () => {
    const learned = { finance: [picnic('Monday'), picnic('Friday')], engineering: [picnic('Tuesday')] };
    expect(routeOf(picnic('Sunday'), learned)).toMatchObject({ needsReview: true });
    expect(routeOf(picnic('Sunday'), { ...learned, engineering: [] })).toMatchObject({
      spaceId: 'finance',
      needsReview: false,
    });
  });
});
