import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_BODY_MAX_BYTES, largestBodyOf, OPERATIONS } from '@cairn/contracts';
import type { Page } from '../page.ts';
import { anchorOf, apiSlugOf } from './api-pages.ts';
import { table } from './markdown.ts';

interface Plan {
  limits: Record<string, number>;
  requests_per_second: number;
  burst: number;
  monthly_requests: number;
  monthly_credits: number;
}

const BYTES = 1_024;
const FORM = 'multipart/form-data';

/** What each plan allows, as the operator's file has it, and how large a request may be. */
export function limitsPage(root: string): Page {
  const { plans } = JSON.parse(readFileSync(join(root, 'config/plans.json'), 'utf8')) as {
    plans: Record<string, Plan>;
  };
  const names = Object.keys(plans);
  const kinds = [...new Set(names.flatMap((name) => Object.keys(plans[name]!.limits)))];
  const rows = [
    ...kinds.map((kind) => [kind.replaceAll('_', ' '), (plan: Plan) => amountOf(kind, plan.limits[kind])] as const),
    ['requests a second', (plan: Plan) => amountOf('', plan.requests_per_second)] as const,
    ['requests at once', (plan: Plan) => amountOf('', plan.burst)] as const,
    ['requests a month', (plan: Plan) => amountOf('', plan.monthly_requests)] as const,
    ['credits a month', (plan: Plan) => amountOf('', plan.monthly_credits)] as const,
  ];
  const larger = OPERATIONS.filter(
    (operation) => largestBodyOf(operation, undefined) > DEFAULT_BODY_MAX_BYTES || operation.upload !== undefined,
  );
  const body = [
    `An operator sets the plans; these are the ones that Cairn comes with (\`config/plans.json\`). A test tenant has a tenth of its live tenant's. \`GET /api/v1/limits\` says what a credential has and has left ([readLimits](/docs/${apiSlugOf('Usage')}#readlimits)).`,
    '## Plans',
    table(
      ['limit', ...names],
      rows.map(([label, amount]) => [label, ...names.map((name) => amount(plans[name]!))]),
    ),
    '## Bodies',
    `A request body may have ${amountOf('bytes', DEFAULT_BODY_MAX_BYTES)}, and where this table says so more.`,
    table(
      ['operation', 'JSON', 'file'],
      larger.map((operation) => [
        `[${operation.summary}](/docs/${apiSlugOf(operation.tag)}#${anchorOf(operation)})`,
        amountOf('bytes', largestBodyOf(operation, undefined)),
        operation.upload === undefined ? '' : amountOf('bytes', largestBodyOf(operation, FORM)),
      ]),
    ),
    'How rates and quotas hold across several gateways is explained in [Limits across several gateways](/docs/explanation/limits).',
  ];
  return {
    slug: 'reference/limits',
    title: 'Limits',
    description: 'What each plan allows, and how large a request may be.',
    body: `${body.join('\n\n')}\n`,
  };
}

function amountOf(kind: string, amount: number | undefined): string {
  if (amount === undefined) return 'unlimited';
  if (!kind.endsWith('bytes')) return amount.toLocaleString('en');
  for (const [unit, power] of [
    ['GiB', 3],
    ['MiB', 2],
    ['KiB', 1],
  ] as const)
    if (amount >= BYTES ** power) return `${Math.floor(amount / BYTES ** power)} ${unit}`;
  return `${amount} bytes`;
}
