import type { Tx } from '@cairn/postgres';
import { markAppsRevoked } from './revoke-app.ts';
import { markRevoked } from './revoke-key.ts';
import { markOAuthRevoked } from './revoke-oauth.ts';
import { markSessionsEnded } from './revoke-session.ts';

/**
 * Marks credentials of every kind as ended, those that are not yet, and journals it; an id means nothing to the other
 * kinds.
 */
export async function markEnded(tx: Tx, credentialIds: readonly string[], at: Date): Promise<void> {
  await markRevoked(tx, credentialIds, at, null);
  await markOAuthRevoked(tx, credentialIds, at);
  await markSessionsEnded(tx, credentialIds, at);
  await markAppsRevoked(tx, credentialIds, at);
}
