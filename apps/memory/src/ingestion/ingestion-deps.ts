import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { ByteCipher } from '@cairn/encryption';
import type { SearchIndex } from '@cairn/search-index';
import type { Logger } from '@cairn/service-kit';
import type { DocumentLinker } from '../documents/document-linker.ts';
import type { PreparePool } from './preparing/prepare-pool.ts';
import type { SettingsSource } from '../memories/memory-settings.ts';
import type { SpaceRouters } from './routing/space-routers.ts';

/** What ingestion on one engine works with. */
export interface IngestionDeps {
  /** Everything about a document runs under its tenant. */
  database: Database;
  /** Connected as the worker role: claims over all tenants. */
  workerDatabase: Database;
  index: SearchIndex;
  /** Unique to this run of this process. */
  owner: string;
  /** Encrypts what waits in the queue. */
  cipher: ByteCipher;
  pool: PreparePool;
  settings: SettingsSource;
  routers: SpaceRouters;
  outbound: Outbound;
  /** How long what was submitted of a failed document is kept; 0: not at all, except for an address. */
  failedContentRetentionDays: number;
  /** Null: documents are complete when they are indexed. */
  linker: DocumentLinker | null;
  logger: Logger;
}
