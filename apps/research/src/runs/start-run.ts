import { newId, type RunKind, type TenancyService } from '@cairn/contracts';
import { policyOf } from '@cairn/screening';
import { CairnError, notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { createRun } from '@cairn/ledger';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import type { Charges } from '../charges/charges.ts';
import { holdScopeOpen } from '../erasure/closed-scopes.ts';
import { insertList } from '../lists/list-store.ts';
import type { MemoryTarget } from '../memory/memory-target.ts';
import type { TicketParts } from '../tickets.ts';
import type { ModelNames } from '../run-work/model-names.ts';
import type { TextWorkers } from '../text-work/text-workers.ts';
import { insertRecord } from './run-record.ts';
import { screenedWanted } from './screened.ts';

export interface StartParts extends TicketParts {
  database: Database;
  tenancy: RpcClient<typeof TenancyService>;
  charges: Charges;
  models: ModelNames;
  text: TextWorkers;
  /** True when the operator has a proxy for web traffic. */
  hasProxy: boolean;
}

/** What every call that starts something brings along. */
export interface StartCall {
  identity: Identity;
  identityToken: string;
  idempotencyKey: string | undefined;
  signal: AbortSignal;
  body: unknown;
}

/** What is to be started. */
export interface Wanted {
  kind: RunKind;
  operation: string;
  prompt: string;
  memoryId: string | undefined;
  model: string | undefined;
  proxy: boolean;
  livePage: boolean;
  user: string | undefined;
  serviceId: string;
  charge: '' | 'list.build' | 'research.run';
  /** True for runs that begin when somebody connects. */
  held: boolean;
  list: { name: string; description: string; type: 'company' | 'people' | 'web' } | null;
  totalTarget: number | null;
  /** What the work is given beside the rest. */
  options: Record<string, unknown>;
}

export interface Started {
  threadId: string;
  listId: string | null;
  workspaceId: string;
  credentialId: string;
}

/**
 * Starts a run, or prepares it: the charge is reserved, and the run, its list and its place in the queue are one
 * commit. `present` makes the answer; it is made anew for a repeat, whose tickets would be used up otherwise.
 */
export async function startRun<Body extends Record<string, unknown>>(
  parts: StartParts,
  call: StartCall,
  requested: Wanted,
  present: (started: Started) => Promise<Body>,
): Promise<{ body: Body; replayed: boolean }> {
  assertPossible(parts, requested);
  const { memory } = await parts.tenancy.getMemory(
    { memoryId: requested.memoryId ?? '' },
    { onBehalfOf: call.identityToken, signal: call.signal },
  );
  if (memory === undefined) throw new CairnError('internal', '', { internal: 'tenancy answered without a memory' });
  if (memory.status !== 'active') throw new CairnError('conflict', `The memory is ${memory.status}.`);
  const target: MemoryTarget = {
    engineId: memory.engineId,
    tenantId: memory.tenantId,
    memoryId: memory.memoryId,
    workspaceId: memory.workspaceId,
    rootVaultId: memory.rootVaultId,
    dlpPolicy: policyOf(memory.dlpPolicy),
  };
  const wanted = await screenedWanted(requested, target.dlpPolicy);
  const { tenantId, credentialId } = call.identity;
  const runId = newId('thread');
  const write = parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: call.identity,
        operation: wanted.operation,
        key: call.idempotencyKey,
        request: call.body,
        memoryId: memory.memoryId,
      },
      async () => ({ status: 200, body: await writeRun(tx, parts, call, wanted, { runId, target }) }),
    ),
  );
  const answer = await write.catch(async (error: unknown) => {
    // Nothing came of the run. Should this be lost too, usage gives the reservation back by itself.
    if (wanted.charge !== '') await parts.charges.release(tenantId, runId).catch(() => undefined);
    throw error;
  });
  const { thread_id, list_id } = answer.body as { thread_id: string; list_id: string | null };
  const started = { threadId: thread_id, listId: list_id, workspaceId: memory.workspaceId, credentialId };
  return { body: await present(started), replayed: answer.replayed };
}

function assertPossible(parts: StartParts, wanted: Wanted): void {
  if (wanted.proxy && !parts.hasProxy)
    throw new CairnError('proxy_not_configured', 'The operator of this installation has no proxy for web traffic.');
  parts.models.assertKnown(wanted.model);
}

async function writeRun(
  tx: Tx,
  parts: StartParts,
  call: StartCall,
  wanted: Wanted,
  { runId, target }: { runId: string; target: MemoryTarget },
) {
  const { identity } = call;
  const { tenantId, memoryId } = target;
  // Deleted since tenancy was asked.
  if (!(await holdScopeOpen(tx, { tenantId, memoryId, vaultId: '' }))) throw notFound('The memory');
  const listId = wanted.list === null ? null : newId('list');
  const { charge } = wanted;
  const microCredits =
    charge === ''
      ? 0
      : await parts.charges.reserve({
          tenantId,
          livemode: identity.livemode,
          runId,
          charge,
          serviceId: wanted.serviceId,
        });
  const input = { prompt: wanted.prompt, model: wanted.model ?? null, proxy: wanted.proxy, target, ...wanted.options };
  await createRun(tx, {
    tenantId,
    runId,
    kind: wanted.kind,
    input: { ...input, total_target: wanted.totalTarget, list_id: listId },
    ...(wanted.held ? { heldForMs: parts.connectWithinMs } : { events: [queuedEvent(wanted)] }),
  });
  await insertRecord(tx, {
    tenant_id: tenantId,
    run_id: runId,
    kind: wanted.kind,
    prompt: wanted.prompt,
    list_id: listId,
    workspace_id: target.workspaceId,
    memory_id: target.memoryId,
    livemode: identity.livemode,
    key_id: identity.keyId,
    credential_id: identity.credentialId,
    user_name: wanted.user ?? '',
    live_page: wanted.livePage,
    total_target: wanted.totalTarget,
    charge: wanted.charge,
    micro_credits: microCredits,
  });
  if (wanted.list !== null && listId !== null) await insertList(tx, { tenantId, listId, runId, ...wanted.list });
  return { thread_id: runId, list_id: listId };
}

export function queuedEvent(run: { kind: RunKind; prompt: string }) {
  return { type: 'run.queued', data: { kind: run.kind, prompt: run.prompt } };
}
