import { readFile } from 'node:fs/promises';
import { BURST_MAX, REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MIN } from '@cairn/contracts';
import { z } from 'zod';

const positive = z.number().positive();

/** For plans from before credentials were counted. */
const API_KEYS_DEFAULT_MAX = 500;
const OAUTH_CLIENTS_DEFAULT_MAX = 100;
/** Every use of one is looked up; a plan without a bound is not meant to be written as a large number. */
const CREDENTIALS_MAX = 1_000_000;
const TWIN_SHARE = 10;
const TWIN_RESOURCE_MIN = 2;

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
  // Of which a twin gets a tenth.
  requests_per_second: z
    .number()
    .min(REQUESTS_PER_SECOND_MIN * TWIN_SHARE)
    .max(REQUESTS_PER_SECOND_MAX),
  burst: positive.int().max(BURST_MAX),
  monthly_requests: positive.int(),
  monthly_credits: positive.int(),
  next: z.string().nullable(),
  upgrade_url: z.url().nullable(),
});

const PlanBook = z
  .strictObject({ start: z.string(), plans: z.record(z.string(), Plan) })
  .refine((book) => Object.hasOwn(book.plans, book.start), { path: ['start'], message: 'is not one of the plans' })
  .superRefine((book, context) => {
    for (const [name, { next }] of Object.entries(book.plans)) {
      if (next !== null && !Object.hasOwn(book.plans, next)) {
        context.addIssue({ code: 'custom', path: ['plans', name, 'next'], message: 'is not one of the plans' });
      }
    }
  });

export type Plan = z.output<typeof Plan>;
export type PlanBook = z.output<typeof PlanBook>;
export type LimitedResource = keyof Plan['limits'];

/** Reads the operator's plans; fails with every problem. */
export async function readPlans(file: string): Promise<PlanBook> {
  const parsed = PlanBook.safeParse(await readJson(file));
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

/** A non-production twin gets a tenth of the plan, yet room to create something beside its default. */
export function planOf(book: PlanBook, tenant: { plan: string; livemode: boolean }): Plan {
  const plan = Object.hasOwn(book.plans, tenant.plan) ? book.plans[tenant.plan] : undefined;
  if (plan === undefined) throw new Error(`plan ${tenant.plan} is not in the plan book`);
  if (tenant.livemode) return plan;
  const tenth = (value: number) => Math.max(TWIN_RESOURCE_MIN, Math.ceil(value / TWIN_SHARE));
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
    requests_per_second: plan.requests_per_second / TWIN_SHARE,
    burst: tenth(plan.burst),
    monthly_requests: tenth(plan.monthly_requests),
  };
}

/** What keys must know of a plan, in the form of its messages. */
export function credentialLimitsOf(plan: Plan) {
  return {
    apiKeysMax: plan.limits.api_keys,
    oauthClientsMax: plan.limits.oauth_clients,
    suggestedPlan: plan.next ?? '',
    upgradeUrl: plan.upgrade_url ?? '',
  };
}
