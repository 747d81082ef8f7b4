import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Command } from 'commander';
import { addInstallationOptions, type AsOperator } from './installation-options.ts';
import type { Operator, OperatorFlags } from './operator.ts';

/** Aggregating every call of an installation can take minutes. */
const REBUILD_TIMEOUT_MS = 30 * 60_000;

interface RebuildOptions extends OperatorFlags {
  check?: boolean;
  from: string;
  to: string;
  tenant: string;
  json?: boolean;
}

/** Operator commands for usage. `rebuild --check` exits with 1 when usage is inconsistent. */
export function addUsageCommands(operator: Command, say: (line?: string) => void, asOperator: AsOperator): void {
  const usage = operator.command('usage').description('check and rebuild usage, list models without a price');
  usage
    .command('rebuild')
    .description('aggregate every call again and rebuild the roll-ups that differ')
    .option('--check', 'only compare, credits included; exits with 1 when something differs')
    .option('--from <month>', 'first month, formatted as YYYY-MM', '')
    .option('--to <month>', 'last month, formatted as YYYY-MM', '')
    .option('--tenant <tenant_id>', 'default: every tenant', '')
    .option('--json', 'print one JSON object')
    .action((options: RebuildOptions) => asOperator(options, (operator) => rebuild(operator, options, say)));
  usage
    .command('unpriced')
    .description('list models that were called but have no price')
    .option('--json', 'print JSON instead of a table')
    .action((options: OperatorFlags & { json?: boolean }) =>
      asOperator(options, (operator) => listUnpriced(operator, options, say)),
    );
  addInstallationOptions(usage, () => ['usage']);
}

async function rebuild(operator: Operator, options: RebuildOptions, say: (line?: string) => void): Promise<void> {
  const check = options.check === true;
  const found = await operator.usage.rebuildRollups(
    { fromMonth: options.from, toMonth: options.to, tenantId: options.tenant, check },
    { timeoutMs: REBUILD_TIMEOUT_MS },
  );
  const result = {
    calls: Number(found.calls),
    rollup_rows: Number(found.rollupRows),
    differing_rows: Number(found.differingRows),
    differences: found.differences,
  };
  if (options.json === true) say(JSON.stringify(result));
  else {
    say(`${result.calls} calls in ${result.rollup_rows} roll-up rows; ${result.differing_rows} rows differ.`);
    for (const difference of result.differences) say(`  ${difference}`);
  }
  if (check && result.differing_rows > 0) throw new Error('the roll-ups or credits do not match the stored calls');
}

async function listUnpriced(
  operator: Operator,
  options: { json?: boolean },
  say: (line?: string) => void,
): Promise<void> {
  const { models } = await operator.usage.listUnpriced({});
  const rows = models.map(({ provider, model, calls, lastCalledAt }) => ({
    model: `${provider}/${model}`,
    calls: Number(calls),
    last_called_at: lastCalledAt === undefined ? '' : timestampDate(lastCalledAt).toISOString(),
  }));
  if (options.json === true) say(JSON.stringify(rows));
  else if (rows.length === 0) say('Every model that was called has a price.');
  else for (const { model, calls, last_called_at } of rows) say(`${model}  ${calls} calls, last ${last_called_at}`);
}
