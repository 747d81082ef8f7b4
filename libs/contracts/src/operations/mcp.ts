import { z } from 'zod';
import { defineOperation, TEXT_BODY_MAX_BYTES } from '../operation.ts';
import { id } from './shared.ts';

/** Each tool needs the scope of the operation it stands for besides. */
export const callMcp = defineOperation({
  service: 'memory',
  app: 'memory',
  tag: 'MCP',
  reach: 'memory',
  action: 'read',
  scope: 'spaces:read',
  id: 'callMcp',
  sdk: 'spaces.mcp',
  weight: 10,
  method: 'POST',
  path: '/api/v1/spaces/{space_id}/mcp',
  summary: 'Call the MCP endpoint of a space',
  description:
    'Takes one message of the Model Context Protocol over Streamable HTTP, without sessions. It offers search, documents, threads and the graph of this space as tools, each under the scope of its operation.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ space_id: id('space') }),
  bodyMaxBytes: TEXT_BODY_MAX_BYTES,
  body: z.unknown().meta({ description: 'A JSON-RPC message of the Model Context Protocol; one a request.' }),
  response: { kind: 'mcp' },
});
