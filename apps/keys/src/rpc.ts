import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AllowanceService,
  type CredentialKind,
  type KeyType,
  Denial,
  KEY_TYPES,
  KeyKind,
  KeysOperatorService,
  KeysService,
  KeysTenancyService,
} from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, type Logger, requireService, rpc } from '@cairn/service-kit';
import { drawAllowances, settleAllowances } from './allowances/draw-allowances.ts';
import { LEASE_MS, renewLease } from './gateways/lease-store.ts';
import { mintKey } from './mint-key.ts';
import { applyTenant, tenantRowOf } from './narrow/apply-tenant.ts';
import { erase } from './narrow/erase.ts';
import type { Narrow } from './narrow/narrow.ts';
import { reportUsage } from './report-usage.ts';
import { createResolveBatches, type ResolveBatches } from './resolve-batches.ts';
import { type Resolution, resolveById, type ResolvedCredential } from './resolve-key.ts';
import type { TenantRow } from './tenant-store.ts';

const DENIALS = {
  unknown: Denial.UNKNOWN,
  expired: Denial.EXPIRED,
  revoked: Denial.REVOKED,
  tenant_suspended: Denial.TENANT_SUSPENDED,
} as const;
const KINDS = {
  live: KeyKind.LIVE,
  test: KeyKind.TEST,
  ephemeral: KeyKind.EPHEMERAL,
  memory: KeyKind.MEMORY,
  oauth: KeyKind.OAUTH,
} as const satisfies Record<CredentialKind, KeyKind>;
const SHA256_BYTES = 32;

export interface RpcDeps {
  narrow: Narrow;
  workerDatabase: Database;
  now: () => Date;
  logger: Pick<Logger, 'warn'>;
}

/** The calls other parts make of this service. */
export function rpcServices(parts: RpcDeps): BoundService[] {
  const batches = createResolveBatches(parts);
  return [
    rpc(KeysService, {
      async resolve(request, context) {
        requireService(context, 'gateway');
        const resolution = await resolveAsked(parts, batches, request);
        if (!resolution.ok) return { result: { case: 'denial' as const, value: DENIALS[resolution.denial] } };
        return {
          result: { case: 'credential' as const, value: credentialOf(resolution.credential, resolution.tenant) },
        };
      },
      async renewLease(request, context) {
        requireService(context, 'gateway');
        const { gatewayId, address, joining, sharing } = request;
        if (gatewayId === '' || address === '')
          throw validationFailed([{ path: 'gateway_id', message: 'and address are required' }]);
        const renewed = await renewLease(parts.workerDatabase, { gatewayId, address, joining, sharing });
        return { ...renewed, durationMs: LEASE_MS };
      },
      async reportUsage(request, context) {
        requireService(context, 'gateway');
        await reportUsage(parts, request);
        return {};
      },
    }),
    allowances(parts),
    rpc(KeysOperatorService, {
      async mintKey(request, context) {
        requireService(context, 'operator');
        if (request.tenant === undefined) throw validationFailed([{ path: 'tenant', message: 'is required' }]);
        const minted = await mintKey(parts, {
          tenant: request.tenant,
          name: request.name,
          kind: keyTypeOf(request.kind),
        });
        return { keyId: minted.keyId, apiKey: minted.plaintext };
      },
    }),
    rpc(KeysTenancyService, {
      async applyTenant(request, context) {
        requireService(context, 'tenancy');
        if (request.tenant === undefined) throw validationFailed([{ path: 'tenant', message: 'is required' }]);
        await applyTenant(parts, tenantRowOf(request.tenant));
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
        return { erased: await erase(parts, scope) };
      },
    }),
  ];
}

function resolveAsked(
  parts: RpcDeps,
  batches: ResolveBatches,
  { sha256, credentialId, seenGood }: { sha256: Uint8Array; credentialId: string; seenGood: boolean },
): Promise<Resolution> {
  const byId = credentialId !== '';
  if (sha256.length !== (byId ? 0 : SHA256_BYTES))
    throw validationFailed([{ path: 'sha256', message: 'must be 32 bytes, or left out with credential_id' }]);
  return byId ? resolveById(parts, credentialId) : batches.resolve(sha256, seenGood);
}

function keyTypeOf(kind: KeyKind): KeyType {
  const found = KEY_TYPES.find((type) => KINDS[type] === kind);
  if (found === undefined) throw validationFailed([{ path: 'kind', message: 'is not a type of key' }]);
  return found;
}

function credentialOf(key: ResolvedCredential, tenant: TenantRow) {
  return {
    keyId: key.key_id,
    credentialId: key.credential_id,
    tenantId: key.tenant_id,
    livemode: key.livemode,
    kind: KINDS[key.kind],
    scopes: key.scopes,
    appPermissions: Object.entries(key.app_permissions).map(([app, actions]) => ({ app, actions: actions ?? [] })),
    ipAllowlist: key.ip_allowlist,
    memoryId: key.memory_id ?? '',
    spaceId: key.space_id ?? '',
    rateLimit: {
      requestsPerSecond: Math.min(key.requests_per_second ?? Infinity, tenant.requests_per_second),
      burst: Math.min(key.burst ?? Infinity, tenant.burst),
    },
    tenantRateLimit: { requestsPerSecond: tenant.requests_per_second, burst: tenant.burst },
    ...(key.expires_at === null ? {} : { expiresAt: timestampFromDate(key.expires_at) }),
    ...(key.revokes_at === null ? {} : { revokesAt: timestampFromDate(key.revokes_at) }),
  };
}

/** What gateways admit ahead. */
function allowances(parts: RpcDeps): BoundService {
  return rpc(AllowanceService, {
    async drawAllowances(request, context) {
      requireService(context, 'gateway');
      return drawAllowances(parts, request);
    },
    async settleHolds(request, context) {
      requireService(context, 'gateway');
      return settleAllowances(parts, request);
    },
  });
}
