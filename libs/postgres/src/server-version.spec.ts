import { describe, expect, it } from '@jest/globals';
import { requireSupportedServer, ServerTooOld } from './server-version.ts';

/** A connection to a server that says it is of these versions. */
const serverOf = (versionNumber: number, version: string, pgvector: string | null) =>
  ({ query: async () => ({ rows: [{ versionNumber, version, pgvector }] }) }) as never;

describe('the version of a PostgreSQL server', () => {
  it('may be the oldest supported one or later, with or without pgvector', async () => {
    await requireSupportedServer(serverOf(170_000, '17.0', '0.8.0'));
    await requireSupportedServer(serverOf(180_001, '18.1', null));
  });

  it('is refused with both versions in the message, before anything is changed', async () => {
    await expect(requireSupportedServer(serverOf(150_020, '15.20', null))).rejects.toThrow(
      new ServerTooOld('PostgreSQL 17 or later is needed; this server is 15.20.'),
    );
    await expect(requireSupportedServer(serverOf(170_011, '17.11', '0.7.4'))).rejects.toThrow(
      'pgvector 0.8 or later is needed; this server has 0.7.4.',
    );
  });
});
