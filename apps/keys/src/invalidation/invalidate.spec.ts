import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SOURCES = join(import.meta.dirname, '..');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file: relative(SOURCES, join(SOURCES, file)), text: readFileSync(join(SOURCES, file), 'utf8') }));

/** Statements after which a credential may have fewer rights than before. */
const INVALIDATING = [
  /SET revoked_at/,
  /SET closing_since/,
  /DELETE FROM (?:api_keys|oauth_clients|tenants|\$\{)/,
  /SET (?:expires_at = least|name = \$2, scopes)/,
  /await upsertTenant\(|=> upsertTenant\(/,
];

describe('whatever invalidates a credential', () => {
  it('lies in this folder, behind the one function', () => {
    const found = files.filter(({ text }) => INVALIDATING.some((statement) => statement.test(text)));
    expect(found.map(({ file }) => file).toSorted()).toEqual([
      'invalidation/apply-tenant.ts',
      'invalidation/erase-keys.ts',
      'invalidation/restrict-key.ts',
      'invalidation/revoke-app.ts',
      'invalidation/revoke-key.ts',
      'invalidation/revoke-lineage.ts',
      'invalidation/revoke-oauth.ts',
      'invalidation/revoke-session.ts',
      'invalidation/void-invitations.ts',
    ]);
  });
});
