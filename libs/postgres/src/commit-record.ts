import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, QueryConfig, Tx } from './tx.ts';

/** What is written into the transactions of a request, before each commits that changed something. */
export class CommitRecord {
  readonly tenantId: string;
  /** The answer that is kept for repeats of the request, as soon as there is one. */
  answer: unknown;
  /** Where a change was committed with the note; null: none was. */
  committedIn: Database | null = null;
  readonly #write: (tx: Tx, note: CommitRecord) => Promise<void>;
  #isOpen = true;

  constructor(tenantId: string, write: (tx: Tx, note: CommitRecord) => Promise<void>) {
    this.tenantId = tenantId;
    this.#write = write;
  }

  /** Runs `work`, whose transactions get the note; one that it leaves behind does not. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await notes.run(this, work);
    } finally {
      this.#isOpen = false;
    }
  }

  /** Whether the transaction of `tenant` (none: the background role's) still has to be looked at. */
  concerns(tenant: readonly string[]): boolean {
    return this.#isOpen && this.committedIn === null && (tenant[0] ?? this.tenantId) === this.tenantId;
  }

  /** Writes the note if the transaction has changed anything; true when it has. */
  async writeTo(tx: Tx): Promise<boolean> {
    // A transaction gets its id with its first change.
    const [state] = await tx.query<{ changed: boolean }>({
      name: 'commit_note_changed',
      text: 'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS changed',
    });
    if (state?.changed !== true) return false;
    await tx.query(setTenant(this.tenantId));
    await this.#write(tx, this);
    return true;
  }
}

/** Says under which tenant row-level security shows and takes rows, until the transaction ends. */
export function setTenant(tenantId: string): QueryConfig {
  return { name: 'cairn_set_tenant', text: "SELECT set_config('cairn.tenant_id', $1, true)", values: [tenantId] };
}

const notes = new AsyncLocalStorage<CommitRecord | undefined>();

/** Runs `work`, whose transactions get no note: what they change is not yet what the request asks for. */
export function withoutCommitRecord<T>(work: () => Promise<T>): Promise<T> {
  return notes.run(undefined, work);
}

/** The note of the request that is being handled. */
export function currentCommitRecord(): CommitRecord | undefined {
  return notes.getStore();
}

/** The note that a transaction of `tenant` (none: the background role's) has to get if it changes anything. */
export function commitRecordFor(tenant: readonly string[]): CommitRecord | undefined {
  const note = currentCommitRecord();
  return note?.concerns(tenant) === true ? note : undefined;
}
