import type { McpServer, RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as operations from '@cairn/contracts';
import { QUERY_MAX_CHARS, TOP_K_MAX, type GuardedOperation, type RequestOf } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { refusalOf } from '@cairn/identity';
import { type RequestContext, validateRequest } from '@cairn/service-kit';
import { z } from 'zod';
import { exploreGraph } from '../graph/query/explore-graph.ts';
import { ingestDocuments } from '../ingestion/ingest-documents.ts';
import { searchMemory } from '../search/search-memory.ts';
import { addTurn } from '../threads/add-turn.ts';
import { getThread } from '../threads/get-thread.ts';
import { listTurns } from '../threads/list-turns.ts';
import { CONVERSATION_OPERATIONS } from '../search/conversation.ts';
import { publicErrorMessage } from './public-error-message.ts';
import type { SpaceCall, McpDeps } from './mcp-deps.ts';

const THREAD_TURNS_MAX = 100;
const text = (description: string) => z.string().min(1).describe(description);

/**
 * The tools of a space. Each needs what the operations of the API that it stands for need. `isListing` leaves out those
 * that the caller may not use; in a call they are there, to say what the key lacks.
 */
export function registerTools(server: McpServer, deps: McpDeps, space: SpaceCall, isListing: boolean): void {
  const offer = (tool: RegisteredTool, ...operations: GuardedOperation[]) => {
    if (isListing && refusalOf(space.identity, { operations }) !== null) tool.disable();
  };
  offer(searchTool(server, deps, space), operations.searchMemory);
  offer(documentIntakeTool(server, deps, space), operations.ingestDocuments);
  offer(threadReadingTool(server, deps, space), operations.getThread, operations.listTurns);
  offer(turnTool(server, deps, space), operations.addTurn);
  offer(exploringTool(server, deps, space), operations.exploreGraph);
}

function searchTool(server: McpServer, deps: McpDeps, space: SpaceCall): RegisteredTool {
  const mayConverse = refusalOf(space.identity, { operations: CONVERSATION_OPERATIONS }) === null;
  return server.registerTool(
    'search_memory',
    {
      title: 'Search',
      description: 'Searches the documents of this space and answers with citations.',
      inputSchema: {
        query: text('The question, or keywords.').max(QUERY_MAX_CHARS),
        top_k: z.number().int().min(1).max(TOP_K_MAX).optional().describe('How many passages; default 10.'),
        thread_id: z
          .string()
          .optional()
          .describe('A thread that the question belongs to; question and answer are added to it.'),
      },
      // With a thread it adds turns, for those who may.
      annotations: mayConverse ? { readOnlyHint: false, destructiveHint: false } : { readOnlyHint: true },
    },
    (input) =>
      asResult(
        deps,
        space,
        async () => {
          const context = contextOf(operations.searchMemory, space, { body: { ...input, space_id: space.spaceId } });
          return (await searchMemory(deps, context)).body;
        },
        sayAnswer,
      ),
  );
}

function documentIntakeTool(server: McpServer, deps: McpDeps, space: SpaceCall): RegisteredTool {
  return server.registerTool(
    'add_document',
    {
      title: 'Add a document',
      description: 'Puts a text into this space. It is found once it is indexed, a moment later.',
      inputSchema: {
        content: text('The text, plain or Markdown.'),
        title: z.string().optional(),
        external_id: z.string().optional().describe('A name of your own; the same one replaces what was there.'),
        occurred_at: z.string().optional().describe('When what it tells happened, ISO 8601.'),
        metadata: z.record(z.string(), z.unknown()).optional(),
      },
      annotations: { destructiveHint: false },
    },
    (input) =>
      asResult(deps, space, async () => {
        const context = contextOf(operations.ingestDocuments, space, { body: { ...input, space_id: space.spaceId } });
        return (await ingestDocuments(deps, context)).body.documents[0]!;
      }),
  );
}

function threadReadingTool(server: McpServer, deps: McpDeps, space: SpaceCall): RegisteredTool {
  return server.registerTool(
    'read_thread',
    {
      title: 'Read a thread',
      description: 'The last turns of a conversation of this space, oldest first.',
      inputSchema: { thread_id: text('The thread.') },
      annotations: { readOnlyHint: true },
    },
    ({ thread_id }) =>
      asResult(deps, space, async () => {
        const thread = (await getThread(deps, contextOf(operations.getThread, space, { params: { thread_id } }))).body;
        const cursor = String(Math.max(0, thread.turn_count - THREAD_TURNS_MAX));
        const query = { cursor, limit: String(THREAD_TURNS_MAX) };
        const turns = (await listTurns(deps, contextOf(operations.listTurns, space, { params: { thread_id }, query })))
          .body;
        return { ...thread, turns: turns.turns };
      }),
  );
}

function turnTool(server: McpServer, deps: McpDeps, space: SpaceCall): RegisteredTool {
  return server.registerTool(
    'append_turn',
    {
      title: 'Append a turn',
      description: 'Adds a turn at the end of a conversation of this space.',
      inputSchema: { thread_id: text('The thread.'), role: z.enum(['user', 'assistant']), content: text('The words.') },
      annotations: { destructiveHint: false },
    },
    ({ thread_id, ...body }) =>
      asResult(
        deps,
        space,
        async () => (await addTurn(deps, contextOf(operations.addTurn, space, { params: { thread_id }, body }))).body,
      ),
  );
}

function exploringTool(server: McpServer, deps: McpDeps, space: SpaceCall): RegisteredTool {
  return server.registerTool(
    'explore_graph',
    {
      title: 'Explore the graph',
      description: 'Entities and relations around an entity, as found in search results.',
      inputSchema: {
        entity_id: text('Where to begin.'),
        max_hops: z.number().int().min(1).max(6).optional().describe('How far to go; default 2.'),
      },
      annotations: { readOnlyHint: true },
    },
    ({ entity_id, max_hops }) =>
      asResult(deps, space, async () => {
        const query = max_hops === undefined ? {} : { max_hops: String(max_hops) };
        return (await exploreGraph(deps, contextOf(operations.exploreGraph, space, { params: { entity_id }, query })))
          .body;
      }),
  );
}

/** The context of an operation as a request of the API has it: permitted, and validated by the same schemas. */
function contextOf<O extends GuardedOperation>(
  operation: O,
  space: SpaceCall,
  request: { params?: unknown; query?: unknown; body?: unknown },
): RequestContext<O> {
  const refusal = refusalOf(space.identity, { operations: [operation] });
  if (refusal !== null && 'lacks' in refusal)
    throw new CairnError('permission_denied', `The key lacks ${refusal.lacks.join(' and ')}.`);
  const { params = {}, query = {}, body = {} } = JSON.parse(JSON.stringify(request)) as typeof request;
  const valid = validateRequest(operation, { params, query, body }) as RequestOf<O>;
  const { identity, identityToken, requestId, signal } = space;
  return { ...valid, identity, identityToken, requestId, signal, idempotencyKey: undefined };
}

/** A tool's result: the value as text and structured; a failure as the tool's error, with its public message. */
async function asResult<T extends object>(
  deps: McpDeps,
  space: SpaceCall,
  work: () => Promise<T>,
  say: (value: T) => string = (value) => JSON.stringify(value),
): Promise<CallToolResult> {
  try {
    const value = await work();
    return {
      content: [{ type: 'text', text: say(value) }],
      structuredContent: value as Record<string, unknown>,
    };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: publicErrorMessage(deps, space, error) }] };
  }
}

function sayAnswer({
  answer,
  results,
}: {
  answer: string;
  results: { doc_id: string; title: string; text: string }[];
}) {
  const passages = results.map(({ doc_id, title, text: body }) => `## ${title} (${doc_id})\n${body}`);
  return [answer, ...passages].join('\n\n');
}
