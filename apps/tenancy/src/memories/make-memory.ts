import { encodeEvent, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { chooseEngine } from '../engines/choose-engine.ts';
import { listPlaces } from '../engines/engine-store.ts';
import { startJob } from '../jobs/job-store.ts';
import { memoryLabel } from '../slug.ts';
import { claimSubdomain, insertMemory, type MemoryRow, takeMemorySerial } from './memory-store.ts';

export interface MemoryPlan {
  tenantId: string;
  livemode: boolean;
  memoryId: string;
  workspaceId: string;
  displayName: string;
  dlpPolicy: MemoryRow['dlp_policy'];
}

const LABEL_TRIES_MAX = 5;

/** Makes a shared memory in the caller's transaction: engine, serial, hostname label, root vault, row and event. */
export async function makeSharedMemory(tx: Tx, plan: MemoryPlan): Promise<MemoryRow> {
  const engineId = chooseEngine(plan.memoryId, await listPlaces(tx));
  if (engineId === null) throw new CairnError('unavailable', 'No engine takes new memories right now.');
  return makeMemory(tx, plan, { type: 'shared', status: 'active', engine_id: engineId });
}

/** Makes a dedicated memory in the caller's transaction; its server is provisioned after the commit. */
export async function makeDedicatedMemory(tx: Tx, plan: MemoryPlan): Promise<MemoryRow> {
  const engineId = newId('engine');
  const { tenantId, memoryId, livemode } = plan;
  const row = await makeMemory(tx, plan, { type: 'dedicated', status: 'provisioning', engine_id: engineId });
  await startJob(tx, { tenantId, kind: 'provisionMemory', subjectId: memoryId, detail: { livemode, engineId } });
  return row;
}

async function makeMemory(
  tx: Tx,
  plan: MemoryPlan,
  place: Pick<MemoryRow, 'type' | 'status' | 'engine_id'>,
): Promise<MemoryRow> {
  const row = await insertMemory(tx, {
    tenant_id: plan.tenantId,
    memory_id: plan.memoryId,
    workspace_id: plan.workspaceId,
    display_name: plan.displayName,
    ...place,
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
