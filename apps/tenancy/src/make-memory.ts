import { encodeEvent, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { memoryLabel } from './slug.ts';
import { claimSubdomain, insertMemory, type MemoryRow, takeMemorySerial } from './tenancy-store.ts';

export interface MemoryPlan {
  tenantId: string;
  livemode: boolean;
  memoryId: string;
  workspaceId: string;
  displayName: string;
  dlpPolicy: MemoryRow['dlp_policy'];
}

const LABEL_TRIES_MAX = 5;

/** Makes a shared memory in the caller's transaction: serial, hostname label, root vault, row and event. */
export async function makeSharedMemory(tx: Tx, plan: MemoryPlan): Promise<MemoryRow> {
  const row = await insertMemory(tx, {
    tenant_id: plan.tenantId,
    memory_id: plan.memoryId,
    workspace_id: plan.workspaceId,
    display_name: plan.displayName,
    type: 'shared',
    status: 'active',
    memory_serial: await takeMemorySerial(tx, plan.tenantId),
    subdomain: await takeLabel(tx, plan),
    root_vault_id: newId('vault'),
    dlp_policy: plan.dlpPolicy,
  });
  await appendToOutbox(
    tx,
    encodeEvent(
      'memoryCreated',
      { tenantId: plan.tenantId, livemode: plan.livemode, workspaceId: plan.workspaceId, memoryId: plan.memoryId },
      { displayName: row.display_name, type: row.type, rootVaultId: row.root_vault_id },
    ),
  );
  return row;
}

async function takeLabel(tx: Tx, plan: MemoryPlan): Promise<string> {
  for (let attempt = 0; attempt < LABEL_TRIES_MAX; attempt += 1) {
    const subdomain = memoryLabel(plan.displayName);
    if (await claimSubdomain(tx, { subdomain, tenantId: plan.tenantId, memoryId: plan.memoryId })) return subdomain;
  }
  throw new CairnError('unavailable', 'No free hostname was found; try again.');
}
