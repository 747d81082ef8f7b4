import { areRelated } from './concepts.ts';
import type { Column } from './table.ts';

const NOT_ADDITIVE = [
  'price',
  'salary',
  'rate',
  'age',
  'temperature',
  'score',
  'height',
  'average',
  'mean',
  'percent',
  'level',
  'year',
  'capacity',
  'speed',
  'distance',
  'severity',
  'priority',
  'depth',
];

/** False for what no sum of makes sense: prices, ages, grades. */
export function isAdditive(column: Column): boolean {
  return (
    column.type === 'number' &&
    column.unit !== '%' &&
    !column.words.some(({ stem, root }) =>
      NOT_ADDITIVE.some(
        (word) =>
          stem === word ||
          (word !== 'level' &&
            word !== 'salary' &&
            word !== 'distance' &&
            word !== 'capacity' &&
            areRelated(root, word.replace(/e$/, ''))),
      ),
    )
  );
}
