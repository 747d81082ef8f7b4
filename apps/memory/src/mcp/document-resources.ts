import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { getDocument, idPattern } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { missingPermission } from '@cairn/identity';
import { contentPage } from '../documents/document-content.ts';
import { findDocument } from '../documents/document-store.ts';
import { listDocumentRows } from '../documents/list-document-rows.ts';
import { publicErrorMessage } from './public-error-message.ts';
import { reaches } from '../memories/visibility.ts';
import type { SpaceCall, McpDeps } from './mcp-deps.ts';

const LISTED_MAX = 100;
/** Of one document; what follows is to be had by searching, or over HTTP. */
const TEXT_MAX_BYTES = 1_048_576;
const CUT = '[The document goes on. Use search_memory to find what is further on.]';
const SCHEME = 'cairn://documents/';

/** The documents of a space as resources; the list has the first hundred, reading knows all. */
export function registerDocuments(server: McpServer, deps: McpDeps, space: SpaceCall): void {
  server.registerResource(
    'document',
    new ResourceTemplate(`${SCHEME}{doc_id}`, { list: () => said(deps, space, listDocuments(deps, space)) }),
    { title: 'Document', description: 'The text of a document of this space.', mimeType: 'text/plain' },
    (uri, { doc_id }) => said(deps, space, readDocument(deps, space, uri.href, String(doc_id))),
  );
}

function said<T>(deps: McpDeps, space: SpaceCall, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new McpError(ErrorCode.InvalidRequest, publicErrorMessage(deps, space, error));
  });
}

async function listDocuments(deps: McpDeps, space: SpaceCall) {
  const memory = await openMemory(deps, space);
  const { rows } = await deps.engines.read(memory, ({ tx, closedVaults }) =>
    listDocumentRows(tx, memory, {
      statuses: ['completed'],
      vaultId: memory.vaultId,
      closedVaults,
      order: 'oldest',
      after: '',
      fetch: LISTED_MAX,
    }),
  );
  return { resources: rows.map((row) => ({ uri: SCHEME + row.doc_id, name: row.title, mimeType: 'text/plain' })) };
}

async function readDocument(deps: McpDeps, space: SpaceCall, uri: string, docId: string) {
  const memory = await openMemory(deps, space);
  if (!idPattern('document').test(docId)) throw notFound('The document');
  const text = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    const { chunks, hasMore } = await contentPage(tx, memory, docId, { after: -1, maxBytes: TEXT_MAX_BYTES });
    return [row.title, ...chunks.map((chunk) => chunk.body), ...(hasMore ? [CUT] : [])].join('\n\n');
  });
  if (text === null) throw notFound('The document');
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

async function openMemory(deps: McpDeps, space: SpaceCall) {
  const missing = missingPermission(space.identity, getDocument);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);
  return deps.memories.resolve(space, { space_id: space.spaceId });
}
