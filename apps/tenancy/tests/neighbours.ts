import {
  KeysTenancyService,
  MemoryStoreService,
  ResearchErasureService,
  UsageErasureService,
  WebhooksErasureService,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { createLogger, listenGrpc, readIdentityKeys, rpc, type Running } from '@cairn/service-kit';
import type { TestIdentities } from '@cairn/testing';

/** One question that reached a neighbour. */
export interface Asked {
  method: string;
  request: Record<string, unknown>;
}

export interface Neighbours extends Running {
  address: string;
  asked: Asked[];
  /** Methods that are refused as long as they are in here. */
  refused: Set<string>;
}

/** Stand-ins for keys, webhooks, research, usage and the memory service that speak their protocols, write down what they are asked and agree. */
export async function startNeighbours(identities: TestIdentities): Promise<Neighbours> {
  const asked: Asked[] = [];
  const refused = new Set<string>();
  const note = (method: string, request: object) => {
    const { $typeName: _type, ...fields } = request as Record<string, unknown>;
    asked.push({ method, request: fields });
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
          note('applyTenant', request);
          return {};
        },
        async eraseKeys(request) {
          note('eraseKeys', request);
          return { erased: 0 };
        },
      }),
      rpc(WebhooksErasureService, {
        async eraseScope(request) {
          note('eraseDeliveries', request);
          return { finished: true };
        },
      }),
      rpc(ResearchErasureService, {
        async eraseScope(request) {
          note('eraseRuns', request);
          return { finished: true };
        },
      }),
      rpc(UsageErasureService, {
        async eraseTenant(request) {
          note('eraseTenant', request);
          return { finished: true };
        },
      }),
      rpc(MemoryStoreService, {
        async prepareEngine(request) {
          note('prepareEngine', request);
          return {};
        },
        async closeScope(request) {
          note('closeScope', request);
          return {};
        },
        async setSuspended(request) {
          note('setSuspended', request);
          return {};
        },
        async eraseScope(request) {
          note('eraseScope', request);
          return { finished: true };
        },
      }),
    ],
    { host: '127.0.0.1', port: 0 },
    verifier,
    createLogger('neighbours', 'silent'),
  );
  return { ...server, asked, refused };
}
