import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { getDocument, idPattern } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { missingPermission } from '@cairn/identity';
import { chunksOfDocuments } from '../chunk-store.ts';
import { findDocument, listDocumentRows } from '../document-store.ts';
import { reaches } from '../memory-lookup.ts';
import type { McpParts, SpaceCall } from './answer-mcp.ts';
import { publicWords } from './public-words.ts';

const LISTED_MAX = 100;
const SCHEME = 'cairn://documents/';

/** The documents of a space as resources; the list has the first hundred, reading knows all. */
export function offerDocuments(server: McpServer, parts: McpParts, space: SpaceCall): void {
  server.registerResource(
    'document',
    new ResourceTemplate(`${SCHEME}{doc_id}`, { list: () => said(parts, space, listDocuments(parts, space)) }),
    { title: 'Document', description: 'The text of a document of this space.', mimeType: 'text/plain' },
    (uri, { doc_id }) => said(parts, space, readDocument(parts, space, uri.href, String(doc_id))),
  );
}

function said<T>(parts: McpParts, space: SpaceCall, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new McpError(ErrorCode.InvalidRequest, publicWords(parts, space, error));
  });
}

async function listDocuments(parts: McpParts, space: SpaceCall) {
  const memory = await openMemory(parts, space);
  const rows = await parts.engines.read(memory, ({ tx, closedVaults }) =>
    listDocumentRows(tx, memory, {
      status: 'completed',
      externalId: undefined,
      vaultId: memory.vaultId,
      closedVaults,
      after: '',
      fetch: LISTED_MAX,
    }),
  );
  return { resources: rows.map((row) => ({ uri: SCHEME + row.doc_id, name: row.title, mimeType: 'text/plain' })) };
}

async function readDocument(parts: McpParts, space: SpaceCall, uri: string, docId: string) {
  const memory = await openMemory(parts, space);
  if (!idPattern('document').test(docId)) throw notFound('The document');
  const text = await parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    const chunks = await chunksOfDocuments(tx, memory, [docId]);
    return [row.title, ...chunks.map((chunk) => chunk.body)].join('\n\n');
  });
  if (text === null) throw notFound('The document');
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

async function openMemory(parts: McpParts, space: SpaceCall) {
  const missing = missingPermission(space.identity, getDocument);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);
  return parts.lookup.find(space, { space_id: space.spaceId });
}
