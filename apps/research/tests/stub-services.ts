import { ChargeService, ChargeState, MemoryReadService, ProviderKeyService, TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { createTokenVerifier } from '@cairn/identity';
import { createLogger, listenGrpc, requireService, rpc } from '@cairn/service-kit';
import type { TestIdentities } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import { passagesOf, rankPassages } from './rank-passages.ts';

export interface StandInDocument {
  docId: string;
  title: string;
  text: string;
  uri?: string;
  vaultId?: string;
}

/** The services that research calls: tenancy with one memory per tenant, a memory with documents, and usage. */
export interface StubServices {
  address: string;
  /** The contents of every tenant's memory. */
  documents: StandInDocument[];
  /** Charges by run: the reservation, and how often it was settled or released. */
  charges: Map<string, { charge: string; state: ChargeState; requests: string[] }>;
  /** False when all credits are used up. */
  credit: { left: boolean };
  /** How much longer runs last for usage, which releases what is held for less. */
  outage: { ms: number };
  searches: string[];
  /** Tenants' own keys, by tenant and provider. */
  providerKeys: Map<string, string>;
  close(): Promise<void>;
}

/** As usage holds what it is not told how long to hold. */
const HOLD_SECONDS = 7 * 86_400;

export async function startStubServices(identities: TestIdentities): Promise<StubServices> {
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  const documents: StandInDocument[] = [];
  const charges: StubServices['charges'] = new Map();
  const credit = { left: true };
  const outage = { ms: 0 };
  const heldUntil = new Map<string, number>();
  const searches: string[] = [];
  const providerKeys: StubServices['providerKeys'] = new Map();
  const say = (runId: string, word: string, next: ChargeState) => {
    const charge = charges.get(runId);
    if (charge === undefined) throw notFound('The charge');
    charge.requests.push(word);
    const isReleased = Date.now() + outage.ms >= (heldUntil.get(runId) ?? Infinity);
    if (charge.state === ChargeState.RESERVED) charge.state = isReleased ? ChargeState.RELEASED : next;
    return { charge: { runId, charge: charge.charge, state: charge.state, microCredits: 25_000_000n } };
  };
  const services = [
    rpc(TenancyService, {
      async getMemory(request, context) {
        if (context.caller.kind !== 'tenant') throw new CairnError('permission_denied', 'No.');
        const { tenantId } = context.caller.identity;
        if (request.memoryId !== '' && request.memoryId !== memoryOf(tenantId)) throw notFound('The memory');
        const memory = { memoryId: memoryOf(tenantId), tenantId, workspaceId: `ws_${tenantId.slice(4)}` };
        return { memory: { ...memory, status: 'active', engineId: 'default', rootVaultId: 'vlt_1' } };
      },
      getSpace: () => Promise.reject(notFound('The space')),
      listSpaces: () => Promise.resolve({ spaces: [] }),
      listTenantEngines: () => Promise.resolve({ engineIds: [] }),
      describeTenant: () => Promise.reject(notFound('The tenant')),
      findMemoryHost: () => Promise.reject(notFound('The memory')),
    }),
    rpc(ProviderKeyService, {
      async revealProviderKey({ tenantId, provider }) {
        const apiKey = providerKeys.get(`${tenantId} ${provider}`);
        if (apiKey === undefined) throw notFound('The key');
        return { apiKey };
      },
    }),
    rpc(MemoryReadService, {
      async searchChunks(request, context) {
        requireService(context, 'research');
        searches.push(request.query);
        const texts = documents.map((document) => ({ ...document, body: `${document.title}\n${document.text}` }));
        const ranked = rankPassages(request.query, passagesOf(texts));
        return {
          chunks: ranked.slice(0, request.limit).map(({ passage, score }) => ({
            chunkId: `chk_${passage.of.docId}_${passage.start}`,
            docId: passage.of.docId,
            title: passage.of.title,
            text: passage.text,
            score,
            sourceUri: passage.of.uri ?? '',
          })),
        };
      },
      async readDocument(request, context) {
        requireService(context, 'research');
        const found = documents.find(({ docId }) => docId === request.docId);
        if (found === undefined) throw notFound('The document');
        const { docId, title, text, uri: sourceUri = '', vaultId = 'vlt_1' } = found;
        return { docId, title, text, sourceUri, vaultId };
      },
    }),
    rpc(ChargeService, {
      async reserveCharge({ runId, charge, holdSeconds }) {
        if (!credit.left) throw new CairnError('insufficient_credits', 'No credits are left.');
        heldUntil.set(runId, Date.now() + (holdSeconds || HOLD_SECONDS) * 1_000);
        charges.set(runId, { charge, state: ChargeState.RESERVED, requests: ['reserve'] });
        return { charge: { runId, charge, state: ChargeState.RESERVED, microCredits: 25_000_000n } };
      },
      settleCharge: async ({ runId }) => say(runId, 'settle', ChargeState.SETTLED),
      releaseCharge: async ({ runId }) => say(runId, 'release', ChargeState.RELEASED),
      getBalance: () => Promise.resolve({}),
      priceModels: async ({ models }) => ({
        prices: models.map(({ model }) =>
          model === 'without-price'
            ? { known: false }
            : { known: true, input: 250_000n, output: 2_000_000n, cachedInput: 25_000n },
        ),
      }),
      // Each output token costs a thousandth of a dollar.
      priceCall: async ({ model, outputTokens }) =>
        model === 'without-price' ? {} : { nanoUsd: outputTokens * 1_000_000n },
    }),
  ];
  const verifier = await createTokenVerifier(keys);
  const address = { host: '127.0.0.1', port: 0 };
  const server = await listenGrpc(services, address, verifier, createLogger('stubs', 'silent'));
  return {
    address: server.address,
    documents,
    charges,
    credit,
    outage,
    searches,
    providerKeys,
    close: () => server.close(),
  };
}

export function memoryOf(tenantId: string): string {
  return `mem_${tenantId.slice(4)}`;
}
