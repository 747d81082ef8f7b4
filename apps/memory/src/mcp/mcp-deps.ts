import type * as operations from '@cairn/contracts';
import type { Logger, RequestContext } from '@cairn/service-kit';
import type { IngestDocumentsDeps } from '../ingestion/ingest-documents.ts';
import type { WalkDeps } from '../graph/query/graph-deps.ts';
import type { SearchDeps } from '../search/search-deps.ts';

export interface McpDeps extends SearchDeps, WalkDeps, IngestDocumentsDeps {
  logger: Logger;
}

/** A caller of one space: whatever the credential reaches besides is out of sight. */
export type SpaceCall = Pick<
  RequestContext<typeof operations.callMcp>,
  'identity' | 'identityToken' | 'requestId' | 'signal'
> & {
  spaceId: string;
};
