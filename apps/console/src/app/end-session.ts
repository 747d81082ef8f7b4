import { AuthenticationError } from '@cairn/sdk';
import { cairn } from './client.ts';

/** Signs this tab out. A session that has ended already is as good, as when the answer to a first request was lost. */
export async function endSession(): Promise<void> {
  try {
    await cairn.sessions.signOut();
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
  }
}
