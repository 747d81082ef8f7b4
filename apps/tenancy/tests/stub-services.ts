import {
  CreditUseService,
  KeysTenancyService,
  MemoryMoveService,
  MemoryStoreService,
  ResearchErasureService,
  ResearchFeaturesService,
  UsageErasureService,
  WebhooksErasureService,
  WebhookUseService,
} from '@cairn/contracts';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CairnError } from '@cairn/errors';
import { createLogger, listenGrpc, readIdentityKeys, rpc, type Running } from '@cairn/service-kit';
import type { TestIdentities } from '@cairn/testing';

const NEXT_MONTH = timestampFromDate(new Date('2026-12-01T00:00:00.000Z'));

/** A call that reached a stub. */
export interface RecordedCall {
  method: string;
  request: Record<string, unknown>;
}

interface StubServices extends Running {
  address: string;
  calls: RecordedCall[];
  /** Methods that are refused as long as they are in here. */
  refused: Set<string>;
  /** What every engine holds. */
  stored: { tenantId: string; memoryId: string }[];
  /** Memories that cannot move. */
  inSearchCluster: Set<string>;
}

/** Stubs of keys, webhooks, research, usage and the memory service: they record every call and succeed. */
export async function startStubServices(identities: TestIdentities): Promise<StubServices> {
  const calls: RecordedCall[] = [];
  const refused = new Set<string>();
  const stored: StubServices['stored'] = [];
  const inSearchCluster = new Set<string>();
  const record = (method: string, request: object) => {
    const { $typeName: _type, ...fields } = request as Record<string, unknown>;
    calls.push({ method, request: fields });
    if (refused.has(method)) throw new CairnError('unavailable', 'Not now.');
  };
  const { verifier } = await readIdentityKeys({
    signingKeyFile: identities.signingKeyFile('keys'),
    jwksFile: identities.jwksFile,
  });
  const server = await listenGrpc(
    [
      rpc(KeysTenancyService, {
        async applyTenant(request) {
          record('applyTenant', request);
          return {};
        },
        async eraseKeys(request) {
          record('eraseKeys', request);
          return { erased: 0 };
        },
        async getCredentialUse() {
          return {
            apiKeys: { used: 4n, limit: 500n },
            oauthClients: { used: 1n, limit: 100n },
            monthlyRequests: { used: 1_200n, limit: 5_000_000n },
            rateLimit: { requestsPerSecond: 50, burst: 100 },
            resetsAt: NEXT_MONTH,
          };
        },
      }),
      rpc(WebhooksErasureService, {
        async eraseScope(request) {
          record('eraseDeliveries', request);
          return { finished: true };
        },
      }),
      rpc(ResearchErasureService, {
        async eraseScope(request) {
          record('eraseRuns', request);
          return { finished: true };
        },
      }),
      rpc(UsageErasureService, {
        async eraseTenant(request) {
          record('eraseTenant', request);
          return { finished: true };
        },
      }),
      rpc(WebhookUseService, { getWebhookUse: async () => ({ webhooks: 2n }) }),
      rpc(CreditUseService, {
        getCreditUse: async () => ({
          usedMicroCredits: 12_500_000n,
          grantedMicroCredits: 1_000_000_000n,
          resetsAt: NEXT_MONTH,
        }),
      }),
      rpc(ResearchFeaturesService, {
        async getFeatures(request) {
          record('getFeatures', request);
          return { languageModels: ['small', 'large'], embeddings: true, webSearch: true };
        },
      }),
      rpc(MemoryStoreService, {
        async prepareEngine(request) {
          record('prepareEngine', request);
          return {};
        },
        async closeScope(request) {
          record('closeScope', request);
          return {};
        },
        async setSuspended(request) {
          record('setSuspended', request);
          return {};
        },
        async eraseScope(request) {
          record('eraseScope', request);
          return { finished: true };
        },
        async listStoredMemories(request) {
          record('listStoredMemories', request);
          return { memories: stored.filter(({ memoryId }) => memoryId > request.afterMemoryId) };
        },
        async manageSearch(request) {
          record('manageSearch', request);
          return { phase: 'serving' };
        },
        async getStorageUse(request) {
          record('getStorageUse', request);
          return { documents: 7n, storedBytes: 4_096n };
        },
      }),
      movesOf(record, inSearchCluster),
    ],
    { host: '127.0.0.1', port: 0 },
    verifier,
    createLogger('stub-services', 'silent'),
  );
  return { ...server, calls, refused, stored, inSearchCluster };
}

/** Moves that go as they should, a step at a time. */
function movesOf(record: (method: string, request: object) => void, inSearchCluster: ReadonlySet<string>) {
  const finishes =
    (method: string) =>
    async (request: object): Promise<{ finished: boolean }> => {
      record(method, request);
      return { finished: true };
    };
  return rpc(MemoryMoveService, {
    async prepareMove(request) {
      record('prepareMove', request);
      const stays = inSearchCluster.has(request.move!.memoryId);
      return { finished: !stays, inSearchCluster: stays };
    },
    copyMemory: finishes('copyMemory'),
    handOverMemory: finishes('handOverMemory'),
    leaveEngine: finishes('leaveEngine'),
    abandonMove: finishes('abandonMove'),
    async receiveMemory(request) {
      record('receiveMemory', request);
      return {};
    },
    async getEngineLoad(request) {
      record('getEngineLoad', request);
      return {
        bytes: 5_000_000n,
        chunks: 70n,
        transactions: 900n,
        memories: [],
        inSearchCluster: [...inSearchCluster],
      };
    },
  });
}
