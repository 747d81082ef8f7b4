import { newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { idempotent, type Tx } from '@cairn/postgres';
import type { Identity } from '@cairn/identity';
import { countListed } from '../../documents/list-document-rows.ts';
import type { Engines, OpenMemory } from '../../memories/engines.ts';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import type { Caller, MemoryResolver } from '../../memories/resolve-memory.ts';
import { countRunningJobs, type DocumentJobRow, insertJob, type StoredFilter } from './job-store.ts';
import { presentJob } from './present-job.ts';
import { conditionsOf } from './take-documents.ts';

export interface DocumentJobDeps {
  engines: Engines;
  memories: MemoryResolver;
}

interface JobRequest {
  doc_ids?: string[] | undefined;
  filter?: (StoredFilter & { space_id?: string | undefined }) | undefined;
  dry_run: boolean;
  memory_id?: string | undefined;
}

interface StartContext extends Caller {
  identity: Identity;
  idempotencyKey: string | undefined;
  body: JobRequest;
}

/** Jobs of one memory that may run at a time. */
const RUNNING_MAX = 20;
const RETRY_AFTER_SECONDS = 10;

/** Starts a job over documents, or with `dry_run` only counts them. */
export async function startJob(
  deps: DocumentJobDeps,
  context: StartContext,
  kind: DocumentJobRow['kind'],
): Promise<{
  body: { documents: number; job: ReturnType<typeof presentJob> | null };
  status: number;
  replayed: boolean;
}> {
  const { memory_id, dry_run, doc_ids, filter } = context.body;
  const memory = await deps.memories.resolve(context, { memory_id, space_id: filter?.space_id });
  const idempotency = {
    caller: context.identity,
    operation: kind === 'delete' ? 'deleteDocuments' : 'retryDocuments',
    key: context.idempotencyKey,
    request: context.body,
    memoryId: memory.memoryId,
  };
  const response = await deps.engines.write(memory, (open) =>
    idempotent(open.tx, idempotency, async () => {
      const asked = requestedJob(memory, kind, doc_ids, filter);
      const documents = await countMatching(open, memory, asked);
      const job = dry_run ? null : await insertOne(open.tx, memory, { ...asked, documents });
      return { status: 202, body: { documents, job: job === null ? null : presentJob(job) } };
    }),
  );
  return response as Awaited<ReturnType<typeof startJob>>;
}

type RequestedJob = Pick<DocumentJobRow, 'kind' | 'vault_id' | 'doc_ids' | 'filter'>;

function requestedJob(
  memory: TargetMemory,
  kind: DocumentJobRow['kind'],
  docIds: JobRequest['doc_ids'],
  filter: JobRequest['filter'],
): RequestedJob {
  const vault_id = memory.spaceId === null ? null : memory.vaultId;
  if (filter === undefined) return { kind, vault_id, doc_ids: [...new Set(docIds)].sort(), filter: null };
  const { space_id: _spaceId, ...conditions } = filter;
  return { kind, vault_id, doc_ids: null, filter: conditions };
}

/** What is there of it now; ids that are not there become problems of the job. */
async function countMatching(
  { tx, closedVaults }: OpenMemory,
  memory: TargetMemory,
  asked: RequestedJob,
): Promise<number> {
  if (asked.filter !== null)
    return countListed(tx, memory, conditionsOf({ ...asked, filter: asked.filter }, closedVaults));
  const rows = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM documents
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND ($4::text IS NULL OR vault_id = $4)
        AND vault_id <> ALL($5) AND ($6 OR status = 'failed')`,
    [memory.tenantId, memory.memoryId, asked.doc_ids, asked.vault_id, [...closedVaults], asked.kind === 'delete'],
  );
  return rows[0]!.n;
}

async function insertOne(
  tx: Tx,
  memory: TargetMemory,
  asked: RequestedJob & { documents: number },
): Promise<DocumentJobRow> {
  if ((await countRunningJobs(tx, memory)) >= RUNNING_MAX)
    throw new CairnError('queue_full', 'Too many jobs run on the documents of this memory. Try again in a moment.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  const rows = await tx.query<{ newest: string | null }>(
    'SELECT max(doc_id) AS newest FROM documents WHERE tenant_id = $1 AND memory_id = $2',
    [memory.tenantId, memory.memoryId],
  );
  return insertJob(tx, memory, { ...asked, job_id: newId('job'), up_to: rows[0]?.newest ?? '' });
}
