import * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { IDENTITY_HEADER } from '@cairn/identity';
import { OFFLINE_MODELS } from '@cairn/llm';
import {
  createLargeBodies,
  createLogger,
  handle,
  listenHttp,
  operationsApp,
  readIdentityKeys,
  stream,
} from '@cairn/service-kit';
import { createTestIdentities, testIdentity } from '@cairn/testing';
import { whileReadable } from '../../../../apps/memory/src/memories/closed-scopes.ts';
import { createPageRankSignal } from '../../../../apps/memory/src/graph/signal/page-rank-signal.ts';
import { RANKING } from '../../../../apps/memory/src/search/ranking/weights.ts';
import { createSearchCaches } from '../../../../apps/memory/src/runtime/search-caches.ts';
import { NO_VECTOR_SEARCH } from '../../../../apps/memory/src/search/vector-search.ts';
import type { SearchDeps } from '../../../../apps/memory/src/search/search-deps.ts';
import { BENCH_MEMORY, type BenchDeps } from './bench-memory.ts';
import type { TargetMemory } from '../../../../apps/memory/src/memories/memory-scope.ts';
import { searchMemory } from '../../../../apps/memory/src/search/search-memory.ts';
import { streamSearch } from '../../../../apps/memory/src/search/stream-search.ts';

/** The search operations of the memory service behind its HTTP server, over the bench's database. */
export interface PipelineServer {
  deps: SearchDeps;
  url: string;
  /** As a gateway would send them. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

const TARGET: TargetMemory = {
  ...BENCH_MEMORY,
  workspaceId: 'ws_bench',
  rootVaultId: 'vlt_bench',
  engineId: 'default',
  spaceId: null,
  vaultId: 'vlt_bench',
};

/** All of a search but the gateway and the question to tenancy, whose answers the service keeps. */
export async function startPipelineServer(deps: BenchDeps): Promise<PipelineServer> {
  const identities = await createTestIdentities();
  const { verifier } = await readIdentityKeys({
    signingKeyFile: identities.signingKeyFile('memory'),
    jwksFile: identities.jwksFile,
  });
  const kept = createSearchCaches();
  const search: SearchDeps = {
    engines: {
      read: async (memory, work) => {
        const done = await whileReadable(deps.app, memory, async (tx, closedVaults) => ({
          value: await work({ tx, index: deps.index, closedVaults }),
        }));
        if (done === null) throw notFound('The memory');
        return done.value;
      },
      write: () => Promise.reject(new Error('nothing is written')),
      readTenant: () => Promise.reject(new Error('no other engine')),
    },
    memories: { resolve: () => Promise.resolve(TARGET), listEngines: () => Promise.resolve(['default']) },
    threads: { locate: () => Promise.reject(new Error('no threads')) },
    settings: { read: () => Promise.reject(new Error('nothing is stored')) },
    models: OFFLINE_MODELS,
    timeouts: { embeddingMs: 3_000, rerankerMs: 4_000, answerMs: 45_000 },
    meter: () => Promise.resolve(),
    passages: { reader: kept.reader, ranking: RANKING, graph: createPageRankSignal(kept.neighbours) },
    statements: kept.statements,
    tables: { answer: () => Promise.resolve(null) },
    vectors: NO_VECTOR_SEARCH,
    searchLog: { note: () => undefined },
    now: Date.now,
  };
  const largeBodies = createLargeBodies();
  const http = await listenHttp(
    operationsApp({
      operations: [
        handle(operations.searchMemory, (request) => searchMemory(search, request)),
        stream(operations.streamSearch, (request, emit) => streamSearch(search, request, emit)),
      ],
      // Requests of the bench are all alike; only their identity is verified.
      requests: { verify: ({ token }) => verifier.verify(token, 'memory') },
      logger: createLogger('bench', 'error'),
      ready: () => Promise.resolve(),
      largeBodies,
    }),
    { host: '127.0.0.1', port: 0 },
  );
  const identity = testIdentity({ tenantId: BENCH_MEMORY.tenantId, admitUntilMs: Date.now() + HOUR_MS });
  return {
    deps: search,
    url: http.url,
    headers: { [IDENTITY_HEADER]: await identities.token(identity, 'memory'), 'content-type': 'application/json' },
    async close() {
      await http.close();
      await largeBodies.close();
      await identities.remove();
    },
  };
}
