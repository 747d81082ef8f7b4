import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCairn } from '@cairn/testing';
import { createExampleTenant } from './tests/example-tenant.ts';
import { recordExamples } from './tests/record-examples.ts';

const FILE = join(import.meta.dirname, '..', 'libs', 'contracts', 'src', 'examples.json');

/** `npm run generate:examples`: calls every operation of a new installation and keeps what came back. */
const cairn = await startCairn();
try {
  const examples = await recordExamples(cairn.baseUrl, await createExampleTenant(cairn));
  writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
  process.stdout.write(`${Object.keys(examples).length} examples in ${FILE}\n`);
} finally {
  await cairn.remove();
}
