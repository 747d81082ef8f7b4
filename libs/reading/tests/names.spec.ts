import { describe, expect, test } from '@jest/globals';
import { createReader, loadShippedModel } from '../src/index.ts';

const reader = createReader(loadShippedModel());
const names = (text: string) => reader.read(text).names.map((name) => `${name.text}: ${name.type}`);

describe('names', () => {
  test.each([
    [
      'Anna Berg joined the band The Silver Kettles in 1994.',
      ['Anna Berg: person', 'The Silver Kettles: organisation'],
    ],
    ['Orvik Instruments, a family firm, moved to Bergen.', ['Orvik Instruments: organisation', 'Bergen: place']],
    [
      'She wrote for "Harrow\'s Quarterly", "Lanterns" and "Tidewater".',
      ["Harrow's Quarterly: other", 'Lanterns: other', 'Tidewater: other'],
    ],
    [
      'The municipality has the villages of Lekas, Mollaj, Vithkuq and Voskop.',
      ['Lekas: place', 'Mollaj: place', 'Vithkuq: place', 'Voskop: place'],
    ],
    ['John "Jack" Halloran played the fool.', ['John "Jack" Halloran: person']],
  ])('in “%s” have their types', (text, expected) => expect(names(text)).toEqual(expected));

  test.each(['-BEGIN-', '__END__', '-CUTHERE-\nIt is cold.'])('are not what only marks a place: “%s”', (text) =>
    expect(names(text)).toEqual([]),
  );

  test('may stand between hyphens of one word', () =>
    expect(names('He flies the Berlin-Oslo-Bergen route.').join(' ')).toContain('Oslo'));
});
