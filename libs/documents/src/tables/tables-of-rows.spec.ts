import { expect, it } from '@jest/globals';
import { tablesOfRows } from './tables-of-rows.ts';

const rowsOf = (...texts: string[]) => texts.map((text, index) => ({ text, row: index + 1, title: 'a.csv' }));

it('puts rows together with the cells that are empty and those that hold the signs between cells', () => {
  const [table] = tablesOfRows(
    rowsOf('id: 1; note: see; there; city: Oslo', 'id: 2; city: Rome', 'id: 3; size: 4; note: a: b; city: Bonn'),
  );
  expect(table?.columns).toEqual(['id', 'size', 'note', 'city']);
  expect(table?.rows).toEqual([
    ['1', '', 'see; there', 'Oslo'],
    ['2', '', '', 'Rome'],
    ['3', '4', 'a: b', 'Bonn'],
  ]);
});

it('leaves a table out of which a row cannot be read, because figures without it would be wrong', () => {
  expect(tablesOfRows(rowsOf('id: 1; city: Oslo', 'only words'))).toEqual([]);
  expect(tablesOfRows(rowsOf('id: 1; city: Oslo; city: Rome'))).toEqual([]);
});

it('takes names and values for no table, because the names of its columns are gone', () => {
  expect(tablesOfRows(rowsOf('France: Paris', 'Italy: Rome', 'Spain: Madrid'))).toEqual([]);
});

it('keeps the tables of two sheets apart', () => {
  const rows = [...rowsOf('id: 1; city: Oslo'), { text: 'no: 7; day: Monday', row: 1, title: 'Days' }];
  expect(tablesOfRows(rows).map(({ columns }) => columns)).toEqual([
    ['id', 'city'],
    ['no', 'day'],
  ]);
});
