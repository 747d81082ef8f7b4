import { expect, test } from '@jest/globals';
import { brotliCompressSync } from 'node:zlib';
import { DenseModel, SparseModel, type Weights } from './linear-model.ts';
import { encodeTable, loadModel } from './model.ts';

const weights: Weights = {
  bits: 2,
  classes: 4,
  values: Int8Array.from({ length: 16 }, (_, i) => (i % 3 === 0 ? 0 : i * 7 - 60)),
};
const rows = Int32Array.from([0, 3, 2]);

test('a sparse and a dense table give the same scores', () => {
  const dense = new DenseModel(weights);
  expect([...new SparseModel(weights).score(rows, 3)]).toEqual([...dense.score(rows, 3)]);
  expect(dense.bestOf(rows, 3, [0, 1, 2, 3])).toBe(
    [...dense.score(rows, 3)].indexOf(Math.max(...dense.score(rows, 3))),
  );
});

test('gaps over 127 take several bytes, and only weights that are not nought are kept', () => {
  const values = new Int8Array(1024);
  values[3] = 5;
  values[700] = -5;
  const encoded = encodeTable({ bits: 8, classes: 4, values });
  expect([...encoded.gaps]).toEqual([3, (696 % 128) | 128, Math.floor(696 / 128)]);
  expect([...encoded.values]).toEqual([5, 251]);
});

test('a file of another format is refused', () => {
  const header = Buffer.from(JSON.stringify({ format: 2 }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  expect(() => loadModel(brotliCompressSync(Buffer.concat([length, header])))).toThrow('format');
});
