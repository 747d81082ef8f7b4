import type { Operation } from '../operation.ts';
import * as documents from './documents.ts';
import * as keys from './keys.ts';
import * as search from './search.ts';
import * as tenancy from './tenancy.ts';

/** Every operation of the public API. */
export const OPERATIONS: readonly Operation[] = [
  keys.createApiKey,
  keys.listApiKeys,
  keys.getApiKey,
  tenancy.createWorkspace,
  tenancy.listWorkspaces,
  tenancy.getWorkspace,
  tenancy.createMemory,
  tenancy.listMemories,
  tenancy.getMemory,
  documents.ingestDocuments,
  documents.listDocuments,
  documents.getDocument,
  documents.deleteDocument,
  search.searchMemory,
  search.streamSearch,
];
