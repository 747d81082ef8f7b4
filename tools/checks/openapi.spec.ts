import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { openApiDocument, OPERATIONS } from '@cairn/contracts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

function lint(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync('node', [join(import.meta.dirname, 'openapi.ts'), ...args], { encoding: 'utf8' });
}

it('the document of the operations follows the recommended rules of the linter', () => {
  expect(lint()).toMatchObject({ status: 0, stdout: 'openapi: 0 problems\n' });
});

it('the linter reports what is wrong in a document', () => {
  const document = JSON.stringify(openApiDocument(OPERATIONS, { version: '1', serverUrl: 'https://cairn.test' }));
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, document.replace('"operationId":"createApiKey"', '"operationId":"listApiKeys"'));
  const { status, stdout } = lint(broken);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^operation-operationId-unique #\//m);
});
