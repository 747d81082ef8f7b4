import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import type * as operations from '@cairn/contracts';
import type { CreditUseService, KeysTenancyService, MemoryStoreService, WebhookUseService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext, RpcClient } from '@cairn/service-kit';
import { countMemories, listMemoryEngines } from '../stores/memory-store.ts';
import { countSpaces } from '../stores/space-store.ts';
import { findTenant } from '../stores/tenant-store.ts';
import { countWorkspaces } from '../stores/workspace-store.ts';
import { type Plan, type PlanCatalog, planOf } from './plans.ts';

export interface ReadLimitsDeps {
  database: Database;
  plans: PlanCatalog;
  keys: Pick<RpcClient<typeof KeysTenancyService>, 'getCredentialUse'>;
  memoryStore: Pick<RpcClient<typeof MemoryStoreService>, 'getStorageUse'>;
  webhookUse: Pick<RpcClient<typeof WebhookUseService>, 'getWebhookUse'>;
  creditUse: Pick<RpcClient<typeof CreditUseService>, 'getCreditUse'>;
}

type LimitsResponse = JsonResponse<typeof operations.readLimits>;
type Limit = LimitsResponse['body']['limits'][number];

const MICRO = 1_000_000;

/** What the tenant uses of each limit of its plan, each as the service counts it that enforces the limit. */
export async function readLimits(
  deps: ReadLimitsDeps,
  { identity, signal }: RequestContext<typeof operations.readLimits>,
): Promise<LimitsResponse> {
  const { tenantId } = identity;
  const own = await deps.database.withTenant(tenantId, (tx) => readOwn(tx, tenantId, deps.plans), { mode: 'snapshot' });
  const [credentials, stored, { webhooks }, credits] = await Promise.all([
    deps.keys.getCredentialUse({ tenantId }, { signal }),
    deps.memoryStore.getStorageUse({ tenantId, engineIds: own.engineIds }, { signal }),
    deps.webhookUse.getWebhookUse({ tenantId }, { signal }),
    deps.creditUse.getCreditUse({ tenantId }, { signal }),
  ]);
  const { plan, counts } = own;
  return {
    body: {
      plan: own.planName,
      limits: [
        lasting('workspaces', counts.workspaces, plan.limits.workspaces),
        lasting('memories', counts.memories, plan.limits.memories),
        lasting('spaces', counts.spaces, plan.limits.spaces),
        lasting('documents', stored.documents, plan.limits.documents),
        lasting('stored_bytes', stored.storedBytes, plan.limits.stored_bytes),
        lasting('api_keys', credentials.apiKeys?.used, credentials.apiKeys?.limit),
        lasting('oauth_clients', credentials.oauthClients?.used, credentials.oauthClients?.limit),
        lasting('webhooks', webhooks, undefined),
        {
          ...lasting('monthly_requests', credentials.monthlyRequests?.used, credentials.monthlyRequests?.limit),
          resets_at: timeOf(credentials.resetsAt),
        },
        {
          resource: 'monthly_credits',
          used: Number(credits.usedMicroCredits) / MICRO,
          limit: Number(credits.grantedMicroCredits) / MICRO,
          resets_at: timeOf(credits.resetsAt),
        },
      ],
      rate: {
        requests_per_second: credentials.rateLimit?.requestsPerSecond ?? plan.requests_per_second,
        burst: credentials.rateLimit?.burst ?? plan.burst,
      },
      suggested_plan: plan.next,
      upgrade_url: plan.upgrade_url,
    },
  };
}

interface OwnCounts {
  planName: string;
  plan: Plan;
  counts: { workspaces: number; memories: number; spaces: number };
  engineIds: string[];
}

async function readOwn(tx: Tx, tenantId: string, plans: PlanCatalog): Promise<OwnCounts> {
  const tenant = await findTenant(tx);
  if (tenant === null)
    throw new CairnError('internal', '', { internal: 'the identity names a tenant that does not exist' });
  return {
    planName: tenant.plan,
    plan: planOf(plans, tenant),
    counts: {
      workspaces: await countWorkspaces(tx, tenantId),
      memories: await countMemories(tx, tenantId),
      spaces: await countSpaces(tx, tenantId),
    },
    engineIds: await listMemoryEngines(tx),
  };
}

/** A limit of what stays until it is deleted; without a number there is none. */
function lasting(
  resource: Limit['resource'],
  used: number | bigint | undefined,
  limit: number | bigint | undefined,
): Limit {
  return { resource, used: Number(used ?? 0), limit: limit === undefined ? null : Number(limit), resets_at: null };
}

function timeOf(at: Timestamp | undefined): string | null {
  return at === undefined ? null : timestampDate(at).toISOString();
}
