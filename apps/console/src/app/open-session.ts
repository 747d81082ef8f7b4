import type { OpenSessionRequest } from '@cairn/sdk';
import { cairn } from './client.ts';
import { storeEnvironment } from './environment.ts';

/** Signs this tab in, to the environment of the key. */
export async function openSession(proof: OpenSessionRequest): Promise<void> {
  const { livemode } = await cairn.sessions.open(proof);
  storeEnvironment(livemode ? 'live' : 'test');
}
