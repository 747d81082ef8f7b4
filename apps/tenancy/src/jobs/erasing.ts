import type {
  KeysTenancyService,
  MemoryStoreService,
  ResearchErasureService,
  WebhooksErasureService,
  UsageErasureService,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { EventBus } from '@cairn/events';
import type { Database, Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import type { EngineProvisioner } from '../engines/engine-provisioner.ts';

/** What erasing needs of the rest of the system. */
export interface ErasingParts {
  /** Connected as the worker role. */
  workerDatabase: Database;
  memoryStore: RpcClient<typeof MemoryStoreService>;
  keys: RpcClient<typeof KeysTenancyService>;
  webhooks: RpcClient<typeof WebhooksErasureService>;
  research: RpcClient<typeof ResearchErasureService>;
  usage: RpcClient<typeof UsageErasureService>;
  provisioner: EngineProvisioner | null;
  /** The broker's connection, or null while it is away. */
  bus: () => EventBus | null;
}

/** Longer than the longest write in flight, which a close waits for. */
const REMOTE_TIMEOUT_MS = 35_000;
/** How often an erasure looks whether what it waits for is done. */
export const WAIT_MS = 200;

export const remote = (signal: AbortSignal) => ({ signal, timeoutMs: REMOTE_TIMEOUT_MS });

export function busOf(parts: ErasingParts): EventBus {
  const bus = parts.bus();
  if (bus === null) throw new CairnError('unavailable', 'The event broker cannot be reached right now.');
  return bus;
}

/** Takes stored answers away that name the id, so that no name given at creation outlives its resource. */
export async function forgetAnswers(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1 AND position($2 in answer::text) > 0', [
    tenantId,
    id,
  ]);
}

/** Takes events away that were not published yet; waits for a relay that has them in hand. */
export async function forgetEvents(
  tx: Tx,
  scope: { tenantId: string; workspaceId?: string; memoryId?: string },
): Promise<void> {
  const about = [scope.tenantId, scope.workspaceId ?? '%', scope.memoryId ?? '%'].map(likeToken).join('.');
  await tx.execute('DELETE FROM outbox WHERE tenant_id = $1 AND subject LIKE $2', [scope.tenantId, `%.${about}`]);
}

function likeToken(token: string): string {
  return token === '%' ? token : token.replace(/[\\%_]/g, '\\$&');
}
