import { createHash } from 'node:crypto';
import { CairnError } from '@cairn/errors';
import { currentCommitRecord } from './commit-record.ts';
import { likePattern } from './like.ts';
import type { Tx } from './tx.ts';

export interface StoredResponse {
  status: number;
  body: unknown;
}

/** Who sent a request, and what confines it. The identity of a request is one. */
export interface IdempotencyCaller {
  tenantId: string;
  /** The key, or the client of an OAuth token. */
  keyId: string;
  memoryId: string | null;
  spaceId: string | null;
  hostMemoryId: string | null;
}

interface IdempotencyOptions {
  /** Whose `Idempotency-Key` it is: only the same credential, confined to the same place, is given a stored answer. */
  caller: IdempotencyCaller;
  /** What the key is for: the same key on another operation is another key. */
  operation: string;
  /** The caller's `Idempotency-Key`; undefined runs the work plainly. */
  key: string | undefined;
  /** The request as it was understood; another one under the same key is refused. */
  request: unknown;
  /** The memory the answer is about; it is erased with it. */
  memoryId?: string;
  /** Fields of the answer that must not be stored, e.g. a secret shown once. */
  secretFields?: readonly string[];
}

export const IDEMPOTENCY_RETENTION_HOURS = 24;

/**
 * Runs `work` once per key inside the transaction that makes its effect, over any number of replicas: a
 * second call while the first is open is a 409, one after its commit gets the stored answer, and a crash
 * rolls back both the effect and the record. After draft-ietf-httpapi-idempotency-key-header. A stored answer may say
 * what another credential of the tenant must not read, so the same key of another caller is a request of its own, also
 * that of a key's replacement.
 */
export async function idempotent(
  tx: Tx,
  options: IdempotencyOptions,
  work: () => Promise<StoredResponse>,
): Promise<StoredResponse & { replayed: boolean }> {
  if (options.key === undefined) return { ...noted(await work()), replayed: false };
  const { tenantId } = options.caller;
  const key = scopedKey(options.caller, options.key);
  const lock = await tx.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [`idempotency\u0001${tenantId}\u0001${options.operation}\u0001${key}`],
  );
  if (lock[0]?.locked !== true) {
    throw new CairnError('idempotency_in_flight', 'A request with this Idempotency-Key is still being worked on.', {
      retryAfterSeconds: 1,
    });
  }
  const bodyHash = createHash('sha256').update(canonicalJson(options.request)).digest();
  const stored = await tx.query<{ key: string; body_sha256: Buffer; status: number; answer: unknown }>(
    `SELECT key, body_sha256, status, answer FROM idempotency_keys
      WHERE tenant_id = $1 AND operation = $2 AND key = ANY($3) AND created_at > now() - make_interval(hours => $4)`,
    [tenantId, options.operation, [key, options.key], IDEMPOTENCY_RETENTION_HOURS],
  );
  const found = stored.find((row) => row.key === key);
  if (found === undefined && stored.length > 0) throw storedWithoutCaller();
  if (found !== undefined) {
    if (!found.body_sha256.equals(bodyHash)) {
      throw new CairnError('idempotency_mismatch', 'This Idempotency-Key was used with another request.');
    }
    return { status: found.status, body: found.answer, replayed: true };
  }
  const answer = noted(await work());
  await tx.execute(
    `INSERT INTO idempotency_keys (tenant_id, operation, key, body_sha256, status, answer, memory_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (tenant_id, operation, key) DO UPDATE
       SET body_sha256 = excluded.body_sha256, status = excluded.status, answer = excluded.answer,
           memory_id = excluded.memory_id, created_at = now()`,
    [
      tenantId,
      options.operation,
      key,
      bodyHash,
      answer.status,
      JSON.stringify(without(answer.body, options.secretFields ?? [])),
      options.memoryId ?? null,
    ],
  );
  return { ...answer, replayed: false };
}

/**
 * Deletes answers kept about a memory; with `mentions`, only those whose answer holds that id. Answers without a
 * memory count as about it when they hold its id.
 */
export async function eraseStoredResponses(
  tx: Tx,
  scope: { tenantId: string; memoryId: string; mentions?: string },
): Promise<number> {
  return tx.execute(
    `DELETE FROM idempotency_keys
      WHERE tenant_id = $1 AND (memory_id = $2 OR (memory_id IS NULL AND ($3 <> '' OR strpos(answer::text, $2) > 0)))
        AND strpos(answer::text, $3) > 0`,
    [scope.tenantId, scope.memoryId, scope.mentions ?? ''],
  );
}

/** Deletes answers kept about a memory whose field of that name is one of the ids. */
export async function eraseResponsesNaming(
  tx: Tx,
  scope: { tenantId: string; memoryId: string; field: string; ids: readonly string[] },
): Promise<number> {
  return tx.execute(
    'DELETE FROM idempotency_keys WHERE tenant_id = $1 AND memory_id = $2 AND answer ->> $3 = ANY($4)',
    [scope.tenantId, scope.memoryId, scope.field, scope.ids],
  );
}

/** Deletes answers of these operations kept about a memory; with `mentions`, only those that hold one of the ids. */
export async function eraseResponsesOf(
  tx: Tx,
  scope: { tenantId: string; memoryId: string; operations: readonly string[]; mentions?: readonly string[] },
): Promise<number> {
  return tx.execute(
    `DELETE FROM idempotency_keys
      WHERE tenant_id = $1 AND memory_id = $2 AND operation = ANY($3) AND ($4::text[] IS NULL OR answer::text LIKE ANY($4))`,
    [scope.tenantId, scope.memoryId, scope.operations, scope.mentions?.map(likePattern) ?? null],
  );
}

/** Lets the note of the request tell what came of it, in the transaction that makes it. */
function noted(answer: StoredResponse): StoredResponse {
  const note = currentCommitRecord();
  if (note !== undefined) note.answer = answer.body;
  return answer;
}

/** What a caller's key is stored as: a digest, so that no identifier is left of a memory or space that is erased. */
function scopedKey({ keyId, memoryId, spaceId, hostMemoryId }: IdempotencyCaller, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([keyId, memoryId, spaceId, hostMemoryId, key]))
    .digest('base64url');
}

/** An older version stored the key as it came. Its answer may be another caller's, and to run again may charge twice. */
function storedWithoutCaller(): CairnError {
  return new CairnError(
    'conflict',
    'This Idempotency-Key was used before the service was updated. Check what the first request did, then use a new key.',
  );
}

function without(body: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || body === null || typeof body !== 'object') return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));
}

/** JSON with sorted keys, so that two spellings of one request hash alike. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
