import { newId, type RunKind, type TenancyService } from '@cairn/contracts';
import { policyOf } from '@cairn/screening';
import { CairnError, notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { createRun } from '../ledger/run-store.ts';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { abandonIntent, openIntent, closeIntent } from '../charges/charge-intents.ts';
import type { Charges } from '../charges/charges.ts';
import { holdScopeOpen } from '../scopes/closed-scopes.ts';
import { insertList } from '../lists/list-store.ts';
import type { MemoryTarget } from '../memory/memory-target.ts';
import type { TicketDeps } from './tickets.ts';
import type { ModelNames } from './model-names.ts';
import type { TextWorkers } from '../workers/text-workers.ts';
import { announceRun } from './announce-run.ts';
import { insertRecord, type NewRunRecord } from './run-record.ts';
import type { RunRequest } from './run-request.ts';
import { screenRunTexts } from './screen-run-texts.ts';

export interface StartDeps extends TicketDeps {
  database: Database;
  tenancy: RpcClient<typeof TenancyService>;
  charges: Charges;
  models: ModelNames;
  text: TextWorkers;
  /** True when the operator has configured a proxy for web traffic. */
  hasProxy: boolean;
  /** True when the operator has configured a web search. */
  hasWebSearch: boolean;
}

/** What the handlers of all start operations pass on. */
interface StartRequest {
  identity: Identity;
  identityToken: string;
  idempotencyKey: string | undefined;
  signal: AbortSignal;
  body: unknown;
}

interface Started {
  threadId: string;
  listId: string | null;
  workspaceId: string;
  credentialId: string;
}

/**
 * Starts or prepares a run. The charge is declared and reserved first; the run, its list, its place in the queue and
 * the end of that declaration commit together, so that a start that fails or is killed leaves nothing reserved.
 * `present` builds the response, also for a replay, whose stored tickets might be used up.
 */
export async function startRun<Body extends Record<string, unknown>>(
  deps: StartDeps,
  request: StartRequest,
  unscreened: RunRequest,
  present: (started: Started) => Promise<Body>,
): Promise<{ body: Body; replayed: boolean }> {
  assertSupported(deps, unscreened);
  const { memory } = await deps.tenancy.getMemory(
    { memoryId: unscreened.memoryId ?? '' },
    { onBehalfOf: request.identityToken, signal: request.signal },
  );
  if (memory === undefined) throw new CairnError('internal', '', { internal: 'tenancy returned no memory' });
  if (memory.status !== 'active') throw new CairnError('conflict', `The memory is ${memory.status}.`);
  const target: MemoryTarget = {
    engineId: memory.engineId,
    tenantId: memory.tenantId,
    memoryId: memory.memoryId,
    workspaceId: memory.workspaceId,
    rootVaultId: memory.rootVaultId,
    dlpPolicy: policyOf(memory.dlpPolicy),
  };
  const run = await screenRunTexts(unscreened, target.dlpPolicy);
  const { tenantId, credentialId } = request.identity;
  const runId = newId('thread');
  if (run.charge !== '') await openIntent(deps.database, { tenantId, runId });
  const write = deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: request.identity,
        operation: run.operation,
        key: request.idempotencyKey,
        request: request.body,
        memoryId: memory.memoryId,
      },
      async () => ({ status: 200, body: await writeRun(tx, deps, request, run, { runId, target }) }),
    ),
  );
  // Of a replay, too, which has reserved nothing. What cannot be released now is released later.
  const abandon = async () => {
    if (run.charge !== '') await abandonIntent(deps.database, deps.charges, { tenantId, runId }).catch(() => undefined);
  };
  const response = await write.catch(async (error: unknown) => {
    await abandon();
    throw error;
  });
  if (response.replayed) await abandon();
  const { thread_id, list_id } = response.body as { thread_id: string; list_id: string | null };
  const started = { threadId: thread_id, listId: list_id, workspaceId: memory.workspaceId, credentialId };
  return { body: await present(started), replayed: response.replayed };
}

function assertSupported(deps: StartDeps, run: RunRequest): void {
  if (run.proxy && !deps.hasProxy)
    throw new CairnError('proxy_not_configured', 'The operator of this installation has no proxy for web traffic.');
  deps.models.assertKnown(run.model);
}

async function writeRun(
  tx: Tx,
  deps: StartDeps,
  request: StartRequest,
  run: RunRequest,
  { runId, target }: { runId: string; target: MemoryTarget },
) {
  const { identity } = request;
  const { tenantId, memoryId } = target;
  // The memory was deleted after tenancy had resolved it.
  if (!(await holdScopeOpen(tx, { tenantId, memoryId, vaultId: '' }))) throw notFound('The memory');
  const listId = run.list === null ? null : newId('list');
  const { charge } = run;
  const microCredits =
    charge === ''
      ? 0
      : await deps.charges.reserve({
          tenantId,
          livemode: identity.livemode,
          runId,
          charge,
          serviceId: run.serviceId,
        });
  const input = { prompt: run.prompt, model: run.model ?? null, proxy: run.proxy, target, ...run.options };
  await createRun(tx, {
    tenantId,
    runId,
    kind: run.kind,
    input: { ...input, total_target: run.totalTarget, list_id: listId },
    ...(run.held ? { heldForMs: deps.connectWithinMs } : { events: [queuedEvent(run)] }),
  });
  const record: NewRunRecord = {
    tenant_id: tenantId,
    run_id: runId,
    kind: run.kind,
    prompt: run.prompt,
    list_id: listId,
    workspace_id: target.workspaceId,
    memory_id: target.memoryId,
    livemode: identity.livemode,
    key_id: identity.keyId,
    credential_id: identity.credentialId,
    user_name: run.user ?? '',
    live_page: run.livePage,
    total_target: run.totalTarget,
    charge: run.charge,
    micro_credits: microCredits,
  };
  await insertRecord(tx, record);
  await announceRun(tx, record, run.held ? 'held' : 'queued');
  if (charge !== '') await closeIntent(tx, runId);
  if (run.list !== null && listId !== null) await insertList(tx, { tenantId, listId, runId, ...run.list });
  return { thread_id: runId, list_id: listId };
}

export function queuedEvent(run: { kind: RunKind; prompt: string }) {
  return { type: 'run.queued', data: { kind: run.kind, prompt: run.prompt } };
}
