import { encodeEvent, type MemorySettings, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { chooseEngine } from '../engines/choose-engine.ts';
import { memoryLabel } from '../slug.ts';
import { listPlaceableEngines } from '../stores/engine-store.ts';
import { startJob } from '../stores/job-store.ts';
import { claimSubdomain, insertMemory, type MemoryRow, nextMemorySerial } from '../stores/memory-store.ts';
import { memoryEventScope } from './memory-event-scope.ts';

interface NewMemory {
  tenantId: string;
  livemode: boolean;
  memoryId: string;
  workspaceId: string;
  displayName: string;
  settings: MemorySettings;
}

const LABEL_ATTEMPTS_MAX = 5;

/** Creates a shared memory in the caller's transaction: engine, serial, hostname label, root vault, row and event. */
export async function createSharedMemory(tx: Tx, memory: NewMemory): Promise<MemoryRow> {
  const engineId = chooseEngine(memory.memoryId, await listPlaceableEngines(tx));
  if (engineId === null) throw new CairnError('unavailable', 'No engine accepts new memories right now.');
  return insertNewMemory(tx, memory, { type: 'shared', status: 'active', engine_id: engineId });
}

/** Creates a dedicated memory in the caller's transaction; its server is provisioned after the commit. */
export async function createDedicatedMemory(tx: Tx, memory: NewMemory): Promise<MemoryRow> {
  const engineId = newId('engine');
  const { tenantId, memoryId, livemode } = memory;
  const row = await insertNewMemory(tx, memory, { type: 'dedicated', status: 'provisioning', engine_id: engineId });
  await startJob(tx, { tenantId, kind: 'provisionMemory', subjectId: memoryId, detail: { livemode, engineId } });
  return row;
}

async function insertNewMemory(
  tx: Tx,
  memory: NewMemory,
  placement: Pick<MemoryRow, 'type' | 'status' | 'engine_id'>,
): Promise<MemoryRow> {
  const row = await insertMemory(tx, {
    tenant_id: memory.tenantId,
    memory_id: memory.memoryId,
    workspace_id: memory.workspaceId,
    display_name: memory.displayName,
    ...placement,
    memory_serial: await nextMemorySerial(tx, memory.tenantId),
    subdomain: await claimLabel(tx, memory),
    root_vault_id: newId('vault'),
    ...memory.settings,
  });
  await appendToOutbox(
    tx,
    encodeEvent('memoryCreated', memoryEventScope(row, memory.livemode), {
      displayName: row.display_name,
      type: row.type,
      rootVaultId: row.root_vault_id,
    }),
  );
  return row;
}

async function claimLabel(tx: Tx, memory: NewMemory): Promise<string> {
  for (let attempt = 0; attempt < LABEL_ATTEMPTS_MAX; attempt += 1) {
    const subdomain = memoryLabel(memory.displayName);
    if (await claimSubdomain(tx, { subdomain, tenantId: memory.tenantId, memoryId: memory.memoryId })) return subdomain;
  }
  throw new CairnError('unavailable', 'No free hostname was found; try again.');
}
