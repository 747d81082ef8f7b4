import { type AuditTarget, encodeEvent, isId, newId } from '@cairn/contracts';
import { toProblem } from '@cairn/errors';
import { appendToOutbox, CommitRecord, type Tx } from '@cairn/postgres';
import type { Change, ChangeLog, Logger } from '@cairn/service-kit';

/**
 * Records changes for the audit log: the transaction in which a request first changes something also holds an event that
 * says who asked for what. What the answer adds to it follows in an event of its own: ids that were not known yet, or a
 * failure after something was committed. A service that is killed before that has recorded who and what all the same.
 */
export function createChangeLog(logger: Logger): ChangeLog {
  return {
    async record(change, handle) {
      const audit = auditOf(change);
      const success = change.operation.response.status;
      let recorded: Target[] = [];
      const note = new CommitRecord(change.identity.tenantId, (tx, { answer }) => {
        recorded = targetsOf(change, answer);
        return audit.append(tx, { status: success, targets: recorded, answered: false });
      });
      const answered = async (status: number, body: unknown) => {
        const targets = targetsOf(change, body);
        if (note.committedIn === null || (status === success && targets.length <= recorded.length)) return;
        await note.committedIn
          .withTenant(note.tenantId, (tx) => audit.append(tx, { status, targets, answered: true }))
          .catch((error: unknown) =>
            logger.warn({ err: error, request_id: change.requestId }, 'audit: recording what the answer adds failed'),
          );
      };
      try {
        const answer = await note.within(handle);
        await answered(answer.status ?? success, answer.body);
        return answer;
      } catch (error) {
        await answered(toProblem(error, change.requestId).status, undefined);
        throw error;
      }
    },
  };
}

interface Outcome {
  status: number;
  targets: Target[];
  answered: boolean;
}

function auditOf({ operation, identity, requestId, clientAddress }: Change) {
  const auditId = newId('audit');
  const at = new Date();
  return {
    append(tx: Tx, outcome: Outcome): Promise<void> {
      const { tenantId, livemode, keyId, credentialId, kind } = identity;
      const event = encodeEvent(
        'auditRecorded',
        { tenantId, livemode },
        {
          auditId,
          operation: operation.id,
          actorId: keyId,
          actorKind: kind,
          credentialId,
          requestId,
          clientAddress,
          ...outcome,
        },
        at,
      );
      return appendToOutbox(tx, event);
    },
  };
}

type Target = Pick<AuditTarget, 'name' | 'id'>;

const TARGETS_MAX = 100;
/** Answers list what they are about at their top or one list below it. */
const DEPTH_MAX = 3;

/**
 * What the request was about: the ids in its path, the memory that its credential is bound to, and the ids that its
 * answer names. Only what has the form of an identifier of ours: any other parameter is a word of the caller's, which
 * an erasure would have to find here, and an answer may hold a secret under any name.
 */
function targetsOf({ params, identity }: Change, answer: unknown): Target[] {
  const found = new Map<string, Target>();
  const add = (name: string, id: unknown) => {
    if (typeof id === 'string' && isId(id) && found.size < TARGETS_MAX) found.set(`${name} ${id}`, { name, id });
  };
  for (const [name, value] of Object.entries(params)) add(name, value);
  add('memory_id', identity.memoryId);
  addIds(answer, DEPTH_MAX, add);
  return [...found.values()];
}

function addIds(value: unknown, depth: number, add: (name: string, id: unknown) => void): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [name, inner] of Object.entries(value)) {
    // The tenant's own id says nothing: all of the log is about it.
    if (name === 'tenant_id') continue;
    if (name.endsWith('_id')) add(name, inner);
    else addIds(inner, Array.isArray(value) ? depth : depth - 1, add);
  }
}
