import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerFromTables, type RawTable } from '../src/index.ts';

const REGIONS = ['North', 'South', 'East'];
const row = fc.record({ region: fc.constantFrom(...REGIONS), units: fc.integer({ min: -500, max: 5_000 }) });
const tableOf = (rows: readonly { region: string; units: number }[]): RawTable => ({
  title: 'orders.csv',
  columns: ['order_id', 'region', 'units'],
  rows: rows.map(({ region, units }, index) => [`SO-${100 + index}`, region, String(units)]),
});
const figureOf = (text: string | undefined) => Number(/^-?[\d,]+(?:\.\d+)?/.exec(text ?? '')?.[0].replaceAll(',', ''));

it('computes over every row what a loop over the rows does', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 60 }), (rows) => {
      const table = tableOf(rows);
      const east = rows.filter(({ region }) => region === 'East');
      const known = new Set(rows.map(({ region }) => region));
      fc.pre(known.has('East'));
      const sum = east.reduce((total, { units }) => total + units, 0);
      expect(figureOf(answerFromTables('How many orders came from the East region?', [table])?.text)).toBe(east.length);
      expect(figureOf(answerFromTables('What is the total of units in region East?', [table])?.text)).toBe(sum);
      const average = figureOf(answerFromTables('What is the average of units in region East?', [table])?.text);
      expect(Math.abs(average - sum / east.length)).toBeLessThan(0.0051);
    }),
    { numRuns: 150 },
  );
});

it('orders rows by their numbers and cites the rows that it names', () => {
  const table = tableOf([
    { region: 'North', units: 7 },
    { region: 'East', units: 90 },
    { region: 'South', units: 30 },
  ]);
  const found = answerFromTables('Which two orders had the most units, most first?', [table]);
  expect(found?.text).toMatch(/^SO-101 \(units 90\); SO-102 \(units 30\)\./);
  expect(found?.rows).toEqual([2, 3]);
});

it('leaves a question alone that has a word with a meaning of its own that the table does not know', () => {
  const table = tableOf([
    { region: 'North', units: 7 },
    { region: 'East', units: 90 },
  ]);
  for (const question of [
    'How many cancelled orders came from the East region?',
    'How many orders from East were not urgent?',
    'What is the weather in East?',
    'How many orders came from East in 2024?',
    'Why did orders from East drop?',
    'Which orders had more units than average?',
  ])
    expect(answerFromTables(question, [table])).toBeNull();
});

it('takes cells for text, whatever they look like', () => {
  const hostile = [
    "'; DROP TABLE orders; --",
    '$(rm -rf /)',
    '=SUM(A1:A9)',
    '__proto__',
    'constructor',
    '.*+?^${}()|[]\\',
  ];
  const table = {
    title: 'x.csv',
    columns: ['order_id', 'region', '__proto__'],
    rows: hostile.map((cell, index) => [`SO-${index}`, cell, '1']),
  };
  expect(answerFromTables('How many orders came from region __proto__?', [table])?.text).toMatch(/^1\./);
  expect(answerFromTables('Which region has order SO-2?', [table])?.text).toContain('=SUM(A1:A9)');
});

it('reads a table of 100,000 rows in seconds, and refuses what is larger', () => {
  const rows = Array.from({ length: 100_000 }, (_none, index) => [`SO-${index}`, REGIONS[index % 3]!, String(index)]);
  const table = { title: 'orders.csv', columns: ['order_id', 'region', 'units'], rows };
  const start = performance.now();
  expect(answerFromTables('How many orders came from the East region?', [table])?.text).toMatch(/^33,333\./);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(
    answerFromTables('How many orders came from the East region?', [{ ...table, rows: [...rows, rows[0]!] }]),
  ).toBeNull();
  const wide = Array.from({ length: 201 }, (_none, index) => `c${index}`);
  expect(answerFromTables('How many rows have c1 2?', [{ title: 'w', columns: wide, rows: [wide] }])).toBeNull();
});
