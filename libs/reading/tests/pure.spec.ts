import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');
/** Reads the model's file, and nothing else. */
const LOADER = 'shipped-model.ts';
const IMPURE = /node:(?!zlib)|Date\.now|new Date\(\)|performance\b|hrtime|Math\.random|process\.|fetch\(/;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);

test('the reader reads no file, no clock and no environment', () => {
  expect(files.length).toBeGreaterThan(30);
  const impure = files.filter((file) => file !== LOADER && IMPURE.test(readFileSync(join(SRC, file), 'utf8')));
  expect(impure).toEqual([]);
});
