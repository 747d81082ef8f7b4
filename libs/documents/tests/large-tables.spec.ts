import { expect, it } from '@jest/globals';
import { parseDocument } from '../src/index.ts';

it('a table with more rows than are read is refused, and not cut off', async () => {
  const hints = { fileName: 'large.csv', mediaType: 'text/csv' };
  await expect(parseDocument('1,2\n'.repeat(1_000_001), hints)).rejects.toMatchObject({ code: 'too_much_content' });
}, 60_000);
