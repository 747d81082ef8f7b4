import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type * as operations from '@cairn/contracts';
import type { RequestContext } from '@cairn/service-kit';
import { registerDocuments } from './document-resources.ts';
import { registerTools } from './tools.ts';
import type { McpDeps, SpaceCall } from './mcp-deps.ts';

const INSTRUCTIONS =
  'The knowledge of one space. Search before you answer; cite what you found by its title. Threads keep conversations.';

/**
 * Answers one message of a space's MCP endpoint. Without sessions: every message carries its credential, any replica
 * answers it, and a revoked key is refused on its next message.
 */
export async function callMcp(
  deps: McpDeps,
  context: RequestContext<typeof operations.callMcp>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (Array.isArray(context.body)) return refuseBatch(response);
  const { identityToken, requestId, signal } = context;
  const target = await deps.memories.resolve(context, { space_id: context.params.space_id });
  // From here on the caller is one whose key is bound to this space, so that every rule for such keys holds.
  const identity = { ...context.identity, memoryId: target.memoryId, spaceId: target.spaceId, hostMemoryId: null };
  const server = new McpServer({ name: 'cairn', version: '1.0.0' }, { instructions: INSTRUCTIONS });
  const space: SpaceCall = { identity, identityToken, requestId, signal, spaceId: context.params.space_id };
  registerTools(server, deps, space, isListingOf(context.body));
  registerDocuments(server, deps, space);
  // No session id: the transport lives as long as the message.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const closed = () => void server.close();
  response.once('close', closed);
  // The SDK's own types disagree about optional handlers under exactOptionalPropertyTypes only.
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response, context.body);
}

function isListingOf(message: unknown): boolean {
  return (message as { method?: unknown } | null | undefined)?.method === 'tools/list';
}

/** The protocol has no lists of messages since 2025-06-18, and one request is to be the work of one. */
function refuseBatch(response: ServerResponse): void {
  const error = { code: ErrorCode.InvalidRequest, message: 'One message a request.' };
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}
