import { describe, expect, it } from '@jest/globals';
import { judgeClaim } from './judge-claim.ts';

const FERRY = [
  'Harbour › Ferries\nThe ferry Aurora, built by Lindhofer in 1931, carries 1,000 people. See https://harbour.example/aurora. Das Schiff fährt nach Lindau.',
];
const FIRM = [
  'Orvik Instruments\nOrvik Instruments bought Halden Optics in May 2014 for 30 million euros. It employs 400 people in Bergen and 120 people in Graz. Its founder is Maria Okafor. The plant in Graz is not open to visitors. Sales rose by 7 percent after the merger.',
];

const ROAD = [
  'The road\nThe new road is 5 km long and cost €40 million, of which 12% came from the state. A signal crosses it in 30 ms. Trains pass every 15 to 20 minutes.',
];

describe('a claim that its evidence carries', () => {
  it.each([
    ['says it in short', 'The ferry Aurora carries 1000 people.', FERRY],
    ['turns it around', 'Built in 1931 by Lindhofer, the Aurora carries 1,000 people.', FERRY],
    ['has an address of the source', 'Details of the ferry are at https://harbour.example/aurora.', FERRY],
    ['is in another language', 'Das Schiff Aurora fährt nach Lindau.', FERRY],
    ['puts it into the passive', 'Halden Optics was bought by Orvik Instruments in May 2014.', FIRM],
    ['moves the time', 'In May 2014, Orvik Instruments bought Halden Optics.', FIRM],
    ['writes the numbers otherwise', 'After the merger, sales rose by seven percent.', FIRM],
    ['names whom a pronoun means', 'The founder of Orvik Instruments is Maria Okafor.', FIRM],
    [
      'joins two statements',
      'Orvik Instruments bought Halden Optics in May 2014, and its founder is Maria Okafor.',
      FIRM,
    ],
    ['spells out a unit', 'The new road is 5 kilometres long.', ROAD],
    ['spells out a sign', 'The new road cost 40 million euros.', ROAD],
    ['spells out a percentage', 'Of the cost, 12 per cent came from the state.', ROAD],
    ['spells out a short million', 'The new bridge cost 40 million euros.', ['The new bridge cost €40m.']],
    ['spells out a short million behind', 'The new bridge cost $5m.', ['The new bridge cost 5 million dollars.']],
    ['spells out litres', 'The new tank holds 5 litres.', ['The new tank holds 5 L.']],
    ['leaves a unit to its range', 'Trains pass every 15 minutes to 20 minutes.', ROAD],
    ['denies what is denied', 'In Graz, the plant is not open to visitors.', FIRM],
  ] as [string, string, string[]][])('is kept when it %s', (_what, claim, evidence) => {
    expect(judgeClaim(claim, evidence)).toEqual({ supported: true, reason: null });
  });
});

describe('a claim that its evidence does not carry', () => {
  it.each([
    ['a number of its own', 'number', 'The ferry Aurora carries 1,100 people.', FERRY],
    ['a name of its own', 'name', 'The ferry Aurora, built by Marzolla, carries people.', FERRY],
    [
      'an address of its own',
      'address',
      'The ferry Aurora carries people, see https://evil.example/aurora?q=1.',
      FERRY,
    ],
    ['a mail address of its own', 'address', 'The ferry Aurora carries people, ask aurora@evil.example.', FERRY],
    ['mostly words of its own', 'words', 'The ferry serves delicious breakfast every single morning.', FERRY],
    ['no word at all', 'nothing_said', '[]', FERRY],
    [
      'the number of something else',
      'number',
      'Orvik Instruments bought Halden Optics in May 2014 for 400 million euros.',
      FIRM,
    ],
    ['another month', 'number', 'Orvik Instruments bought Halden Optics in June 2014.', FIRM],
    ['the name of something else', 'name', 'Orvik Instruments bought Maria Okafor for 30 million euros.', FIRM],
    ['another unit', 'unit', 'The new road is 5 miles long.', ROAD],
    ['another unit of time', 'unit', 'A signal crosses the new road in 30 s.', ROAD],
    ['another currency', 'unit', 'The new road cost $40 million.', ROAD],
    ['another scale', 'unit', 'The new road cost €40 thousand.', ROAD],
    ['no scale where there is one', 'unit', 'The new road cost €40.', ROAD],
    ['a number for a percentage', 'unit', 'Of the cost, 12 came from the state.', ROAD],
    ['a denial of its own', 'denial', 'Orvik Instruments did not buy Halden Optics in May 2014.', FIRM],
    ['no denial where there is one', 'denial', 'The plant in Graz is open to visitors.', FIRM],
    ['the opposite', 'opposite', 'Sales rose by 7 percent before the merger.', FIRM],
    ['the opposite in a verb', 'opposite', 'Sales fell by 7 percent after the merger.', FIRM],
    ['the roles exchanged', 'roles', 'Halden Optics bought Orvik Instruments in May 2014.', FIRM],
    ['the roles kept in the passive', 'roles', 'Orvik Instruments was bought by Halden Optics in May 2014.', FIRM],
    ['the numbers exchanged', 'roles', 'It employs 120 people in Bergen and 400 people in Graz.', FIRM],
  ])('is rejected when it has %s', (_what, reason, claim, evidence) => {
    expect(judgeClaim(claim, evidence)).toEqual({ supported: false, reason });
  });

  it('is rejected without evidence', () => {
    expect(judgeClaim('The ferry carries people.', [])).toEqual({ supported: false, reason: 'words' });
  });
});
