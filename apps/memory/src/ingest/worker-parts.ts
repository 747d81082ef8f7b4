import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import type { SearchIndex } from '../index/search-index.ts';
import type { DocumentLinker } from '../link-port.ts';
import type { PreparePool } from '../prepare/prepare-pool.ts';
import type { PayloadSeal } from './payload.ts';
import type { SettingsSource } from './memory-settings.ts';

/** What ingestion on one engine works with. */
export interface WorkerParts {
  /** Everything about a document runs under its tenant. */
  database: Database;
  /** Connected as the worker role: claims over all tenants. */
  workerDatabase: Database;
  index: SearchIndex;
  /** Unique to this run of this process. */
  owner: string;
  seal: PayloadSeal;
  pool: PreparePool;
  settings: SettingsSource;
  outbound: Outbound;
  /** Null: documents are complete when they are indexed. */
  linker: DocumentLinker | null;
  logger: Logger;
}

/** Why an attempt was given up: a code that may be shown. `counted` is false when the document is not to blame. */
export class AttemptFailure extends Error {
  /** Shown to the document's owner; never holds anything of the document. */
  readonly reason: string;
  readonly counted: boolean;
  readonly final: { code: string; message: string } | null;

  constructor(reason: string, options: { counted?: boolean; final?: { code: string; message: string } } = {}) {
    super(reason);
    this.name = 'AttemptFailure';
    this.reason = reason;
    this.counted = options.counted ?? true;
    this.final = options.final ?? null;
  }
}
