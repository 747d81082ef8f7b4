import { describe, expect, it } from '@jest/globals';
import { refusalOf, type ServerFacts } from './server-versions.ts';

const GOOD: ServerFacts = { versionNumber: 170_011, version: '17.11', superuser: true, pgvector: '0.8.0' };

describe('a PostgreSQL server for Cairn', () => {
  it('may be of the oldest supported version, with or without pgvector', () => {
    expect(refusalOf({ ...GOOD, versionNumber: 170_000, version: '17.0' })).toBeNull();
    expect(refusalOf({ ...GOOD, pgvector: null })).toBeNull();
    expect(refusalOf({ ...GOOD, pgvector: '0.8.0' })).toBeNull();
  });

  it('is refused with both versions in the message when it is too old', () => {
    expect(refusalOf({ ...GOOD, versionNumber: 160_010, version: '16.10' })).toBe(
      'PostgreSQL 17 or later is needed; this server is 16.10. Nothing was changed.',
    );
    expect(refusalOf({ ...GOOD, pgvector: '0.7.4' })).toContain('pgvector 0.8 or later is needed');
  });

  it('is refused to a role that may not create roles', () => {
    expect(refusalOf({ ...GOOD, superuser: false })).toContain('not a superuser');
  });
});
