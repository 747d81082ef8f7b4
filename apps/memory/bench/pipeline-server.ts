import { searchMemory, streamSearch } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { IDENTITY_HEADER } from '@cairn/identity';
import { OFFLINE_MODELS } from '@cairn/llm';
import { answer, createLogger, listenHttp, operationsApp, readIdentityKeys, stream } from '@cairn/service-kit';
import { createTestIdentities, testIdentity } from '@cairn/testing';
import { whileReadable } from '../src/erasure/closed-scopes.ts';
import { createPageRankSignal } from '../src/graph/signal/page-rank-signal.ts';
import type { TargetMemory } from '../src/memory-lookup.ts';
import { RANKING } from '../src/ranking/weights.ts';
import { answerSearch, streamAnswer } from '../src/search-memory.ts';
import { createSearchCaches } from '../src/search/search-caches.ts';
import { NOTHING_NEAR } from '../src/search/near-chunks.ts';
import type { SearchParts } from '../src/search/search-parts.ts';
import { BENCH_MEMORY, type BenchParts } from './bench-memory.ts';

/** The search operations of the memory service behind its HTTP server, over the bench's database. */
export interface PipelineServer {
  parts: SearchParts;
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
  dlpPolicy: 'secrets',
  engineId: 'default',
  spaceId: null,
  vaultId: 'vlt_bench',
};

/** All of a search but the gateway and the question to tenancy, whose answers the service keeps. */
export async function startPipelineServer(parts: BenchParts): Promise<PipelineServer> {
  const identities = await createTestIdentities();
  const { verifier } = await readIdentityKeys({
    signingKeyFile: identities.signingKeyFile('memory'),
    jwksFile: identities.jwksFile,
  });
  const kept = createSearchCaches();
  const search: SearchParts = {
    engines: {
      read: async (memory, work) => {
        const done = await whileReadable(parts.app, memory, async (tx, closedVaults) => ({
          value: await work({ tx, index: parts.index, closedVaults }),
        }));
        if (done === null) throw notFound('The memory');
        return done.value;
      },
      write: () => Promise.reject(new Error('nothing is written')),
      readTenant: () => Promise.reject(new Error('no other engine')),
    },
    lookup: { find: () => Promise.resolve(TARGET), enginesOf: () => Promise.resolve(['default']) },
    models: OFFLINE_MODELS,
    meter: () => Promise.resolve(),
    passages: { reader: kept.reader, ranking: RANKING, graph: createPageRankSignal(kept.neighbours) },
    statements: kept.statements,
    near: NOTHING_NEAR,
    now: Date.now,
  };
  const http = await listenHttp(
    operationsApp({
      operations: [
        answer(searchMemory, (call) => answerSearch(search, call)),
        stream(streamSearch, (call, emit) => streamAnswer(search, call, emit)),
      ],
      // Requests of the bench are all alike; only their identity is verified.
      requests: { verify: ({ token }) => verifier.verify(token, 'memory') },
      logger: createLogger('bench', 'error'),
      ready: () => Promise.resolve(),
    }),
    { host: '127.0.0.1', port: 0 },
  );
  const identity = testIdentity({ tenantId: BENCH_MEMORY.tenantId, admitUntilMs: Date.now() + HOUR_MS });
  return {
    parts: search,
    url: http.url,
    headers: { [IDENTITY_HEADER]: await identities.token(identity, 'memory'), 'content-type': 'application/json' },
    async close() {
      await http.close();
      await identities.remove();
    },
  };
}
