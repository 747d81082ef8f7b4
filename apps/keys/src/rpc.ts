import { AllowanceService, KeysOperatorService, KeysService, KeysTenancyService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, type Logger, requireService, rpc } from '@cairn/service-kit';
import { drawAllowances } from './allowances/draw-allowances.ts';
import { settleHolds } from './allowances/settle-holds.ts';
import { mintFirstKey, mintKeyFor } from './api-keys/mint-key.ts';
import { getCredentialUse } from './credentials/get-credential-use.ts';
import { keyTypeOf } from './credentials/key-kind.ts';
import { renewLease } from './gateways/renew-lease.ts';
import { reportUsage } from './gateways/report-usage.ts';
import { applyTenant, tenantRowOf } from './invalidation/apply-tenant.ts';
import { eraseKeys } from './invalidation/erase-keys.ts';
import type { Invalidate } from './invalidation/invalidate.ts';
import { resolve } from './resolving/resolve.ts';
import { createResolveBatches } from './resolving/resolve-batches.ts';

interface RpcDeps {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
  logger: Pick<Logger, 'warn'>;
}

/** The gRPC methods of this service. */
export function rpcServices(deps: RpcDeps): BoundService[] {
  return [gatewayService(deps), allowanceService(deps), operatorService(deps), tenancyService(deps)];
}

function gatewayService(deps: RpcDeps): BoundService {
  const batches = createResolveBatches(deps);
  return rpc(KeysService, {
    async resolve(request, context) {
      requireService(context, 'gateway');
      return resolve({ ...deps, batches }, request);
    },
    async renewLease(request, context) {
      requireService(context, 'gateway');
      return renewLease(deps, request);
    },
    async reportUsage(request, context) {
      requireService(context, 'gateway');
      await reportUsage(deps, request);
      return {};
    },
  });
}

function allowanceService(deps: RpcDeps): BoundService {
  return rpc(AllowanceService, {
    async drawAllowances(request, context) {
      requireService(context, 'gateway');
      return drawAllowances(deps, request);
    },
    async settleHolds(request, context) {
      requireService(context, 'gateway');
      return settleHolds(deps, request);
    },
  });
}

function operatorService(deps: RpcDeps): BoundService {
  return rpc(KeysOperatorService, {
    async mintKey(request, context) {
      requireService(context, 'operator');
      const { tenant, tenantId, name } = request;
      if ((tenant === undefined) === (tenantId === ''))
        throw validationFailed([{ path: 'tenant', message: 'or tenant_id is required, not both' }]);
      const key = { name, kind: keyTypeOf(request.kind) };
      const minted =
        tenant === undefined
          ? await mintKeyFor(deps, { ...key, tenantId })
          : await mintFirstKey(deps, { ...key, tenant });
      return { keyId: minted.keyId, apiKey: minted.plaintext };
    },
  });
}

function tenancyService(deps: RpcDeps): BoundService {
  return rpc(KeysTenancyService, {
    async applyTenant(request, context) {
      requireService(context, 'tenancy');
      if (request.tenant === undefined) throw validationFailed([{ path: 'tenant', message: 'is required' }]);
      await applyTenant(deps, tenantRowOf(request.tenant));
      return {};
    },
    async eraseKeys(request, context) {
      requireService(context, 'tenancy');
      const { tenantId, memoryId, spaceId } = request;
      const scope = {
        tenantId,
        memoryId: memoryId === '' ? null : memoryId,
        spaceId: spaceId === '' ? null : spaceId,
      };
      return { erased: await eraseKeys(deps, scope) };
    },
    async getCredentialUse(request, context) {
      requireService(context, 'tenancy');
      return getCredentialUse(deps, request.tenantId);
    },
  });
}
