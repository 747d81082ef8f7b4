import { describe, expect, it } from '@jest/globals';
import { documentDateOf, yearsIn } from './document-date.ts';

describe('the time a document is of', () => {
  it.each([
    ['Price list 2025', '2025'],
    ['annual-report-2024.pdf', '2024'],
    ['Budget FY-2025', '2025'],
    ['Minutes, March 2026', 'March 2026'],
    ['Sales 2026-03-18', '2026-03-18'],
  ])('stands in the title %s', (title, label) => {
    expect(documentDateOf({ title, body: 'We met.' }).label).toBe(label);
  });

  it.each(['INC-2031: no freezer alarms for a night', 'Ticket #2031', 'ISO-2022 in short', 'Firmware 12.2031'])(
    'is no number of a case, a standard or a version: %s',
    (title) => {
      expect(documentDateOf({ title, body: 'It was quiet.' }).label).toBeNull();
    },
  );

  it('is when the document was written or sent, where it names none itself', () => {
    const title = 'INC-2031: no freezer alarms for a night';
    expect(documentDateOf({ title, body: 'It was quiet.', occurred_at: '2025-03-20T00:00:00Z' }).label).toBe(
      '2025-03-20',
    );
    expect(yearsIn('INC-2031 was closed in 2025.')).toEqual([2025]);
  });
});
