import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SOURCES = join(import.meta.dirname, '..');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file: relative(SOURCES, join(SOURCES, file)), text: readFileSync(join(SOURCES, file), 'utf8') }));

/** Statements after which a credential may be good for less than before, or at all by another's word. */
const NARROWING = [
  /SET revoked_at/,
  /SET closing_since/,
  /DELETE FROM (?:api_keys|oauth_clients|tenants|\$\{)/,
  /SET (?:expires_at = least|name = \$2, scopes)/,
  /await upsertTenant\(|=> upsertTenant\(/,
];

describe('whatever narrows a credential', () => {
  it('stands in this folder, below the one function', () => {
    const found = files.filter(({ text }) => NARROWING.some((statement) => statement.test(text)));
    expect(found.map(({ file }) => file).toSorted()).toEqual([
      'narrow/apply-tenant.ts',
      'narrow/erase.ts',
      'narrow/restrict.ts',
      'narrow/revoke-lineage.ts',
      'narrow/revoke-oauth.ts',
      'narrow/revoke.ts',
    ]);
  });
});
