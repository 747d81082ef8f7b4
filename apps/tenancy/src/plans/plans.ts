import { readFile } from 'node:fs/promises';
import { BURST_MAX, REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MIN } from '@cairn/contracts';
import { z } from 'zod';

const positive = z.number().positive();

/** For plans from before credentials were counted. */
const API_KEYS_DEFAULT_MAX = 500;
const OAUTH_CLIENTS_DEFAULT_MAX = 100;
/** Every use of a credential is looked up, so that "unlimited" cannot be spelled as a large number. */
const CREDENTIALS_MAX = 1_000_000;
const TEST_TENANT_DIVISOR = 10;
const TEST_TENANT_RESOURCE_MIN = 2;

const Plan = z.strictObject({
  limits: z.strictObject({
    workspaces: positive.int(),
    memories: positive.int(),
    spaces: positive.int(),
    documents: positive.int(),
    stored_bytes: positive.int(),
    api_keys: positive.int().max(CREDENTIALS_MAX).default(API_KEYS_DEFAULT_MAX),
    oauth_clients: positive.int().max(CREDENTIALS_MAX).default(OAUTH_CLIENTS_DEFAULT_MAX),
  }),
  // Of which a test tenant gets a tenth.
  requests_per_second: z
    .number()
    .min(REQUESTS_PER_SECOND_MIN * TEST_TENANT_DIVISOR)
    .max(REQUESTS_PER_SECOND_MAX),
  burst: positive.int().max(BURST_MAX),
  monthly_requests: positive.int(),
  monthly_credits: positive.int(),
  next: z.string().nullable(),
  upgrade_url: z.url().nullable(),
});

const PlanCatalog = z
  .strictObject({ start: z.string(), plans: z.record(z.string(), Plan) })
  .refine((catalog) => Object.hasOwn(catalog.plans, catalog.start), {
    path: ['start'],
    message: 'is not one of the plans',
  })
  .superRefine((catalog, context) => {
    for (const [name, { next }] of Object.entries(catalog.plans)) {
      if (next !== null && !Object.hasOwn(catalog.plans, next)) {
        context.addIssue({ code: 'custom', path: ['plans', name, 'next'], message: 'is not one of the plans' });
      }
    }
  });

export type Plan = z.output<typeof Plan>;
export type PlanCatalog = z.output<typeof PlanCatalog>;

/** Reads the operator's plans; the error lists every problem. */
export async function readPlans(file: string): Promise<PlanCatalog> {
  const parsed = PlanCatalog.safeParse(await readJson(file));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON`, { cause: error });
  }
}

/** A test tenant gets a tenth of the plan, but at least enough to create something beside its default. */
export function planOf(catalog: PlanCatalog, tenant: { plan: string; livemode: boolean }): Plan {
  const plan = Object.hasOwn(catalog.plans, tenant.plan) ? catalog.plans[tenant.plan] : undefined;
  if (plan === undefined) throw new Error(`plan ${tenant.plan} is not in the plan catalog`);
  if (tenant.livemode) return plan;
  const tenth = (value: number) => Math.max(TEST_TENANT_RESOURCE_MIN, Math.ceil(value / TEST_TENANT_DIVISOR));
  const { limits } = plan;
  return {
    ...plan,
    limits: {
      workspaces: tenth(limits.workspaces),
      memories: tenth(limits.memories),
      spaces: tenth(limits.spaces),
      documents: tenth(limits.documents),
      stored_bytes: tenth(limits.stored_bytes),
      api_keys: tenth(limits.api_keys),
      oauth_clients: tenth(limits.oauth_clients),
    },
    requests_per_second: plan.requests_per_second / TEST_TENANT_DIVISOR,
    burst: tenth(plan.burst),
    monthly_requests: tenth(plan.monthly_requests),
  };
}

/** What the keys service must know of a plan, in the shape of its messages. */
export function credentialLimitsOf(plan: Plan) {
  return {
    apiKeysMax: plan.limits.api_keys,
    oauthClientsMax: plan.limits.oauth_clients,
    suggestedPlan: plan.next ?? '',
    upgradeUrl: plan.upgrade_url ?? '',
  };
}
