import type {
  KeysTenancyService,
  MemoryStoreService,
  ResearchErasureService,
  WebhooksErasureService,
  UsageErasureService,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { EventBus } from '@cairn/events';
import { type Database, eraseStoredEvents, escapeLike, type Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import type { EngineProvisioner } from '../engines/engine-provisioner.ts';

/** What an erasure needs of the rest of the system. */
export interface ErasureDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  memoryStore: RpcClient<typeof MemoryStoreService>;
  keys: RpcClient<typeof KeysTenancyService>;
  webhooks: RpcClient<typeof WebhooksErasureService>;
  research: RpcClient<typeof ResearchErasureService>;
  usage: RpcClient<typeof UsageErasureService>;
  provisioner: EngineProvisioner | null;
  /** The broker's connection, or null while disconnected. */
  bus: () => EventBus | null;
}

/** Longer than the longest write in flight, which closing a scope waits for. */
const CALL_TIMEOUT_MS = 35_000;
/** How often an erasure checks whether what it waits for is done. */
export const RECHECK_MS = 200;

export const callOptions = (signal: AbortSignal) => ({ signal, timeoutMs: CALL_TIMEOUT_MS });

export function requireBus(deps: ErasureDeps): EventBus {
  const bus = deps.bus();
  if (bus === null) throw new CairnError('unavailable', 'The event broker cannot be reached right now.');
  return bus;
}

/** Deletes stored idempotent responses that contain the id, so that no name given at creation outlives its resource. */
export async function eraseStoredResponses(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1 AND position($2 in answer::text) > 0', [
    tenantId,
    id,
  ]);
}

/** Deletes events that this service's database holds, waiting or published; waits for a relay that is publishing them. */
export async function eraseOwnEvents(
  tx: Tx,
  scope: { tenantId: string; workspaceId?: string; memoryId?: string },
): Promise<void> {
  const subject = [scope.tenantId, scope.workspaceId ?? '%', scope.memoryId ?? '%'].map(likeToken).join('.');
  await eraseStoredEvents(tx, scope.tenantId, 'subject LIKE $2', [`%.${subject}`]);
}

function likeToken(token: string): string {
  return token === '%' ? token : escapeLike(token);
}
