import type { Command } from 'commander';
import { addInstallationOptions, type AsOperator } from './installation-options.ts';
import type { OperatorFlags } from './operator.ts';

interface Options extends OperatorFlags {
  json?: boolean;
  repair?: boolean;
  to?: string;
}

const MANAGE_TIMEOUT_MS = 600_000;
const JSON_OPTION = ['--json', 'print JSON'] as const;
const MOVES = new Map([
  ['opensearch', 'to_opensearch'],
  ['postgres', 'to_postgres'],
]);

/** `operator search`: where the lexical index of a memory is, for engines with an OpenSearch cluster. */
export function addSearchCommands(group: Command, say: (line?: string) => void, asOperator: AsOperator): void {
  const search = group.command('search').description('manage the lexical index of memories in OpenSearch');
  const manage = (memoryId: string, action: string, options: Options) =>
    asOperator(options, async ({ tenancy }) => {
      const { phase, copying, waiting, drift } = await tenancy.manageSearch(
        { memoryId, action },
        { timeoutMs: MANAGE_TIMEOUT_MS },
      );
      const shown = {
        memory_id: memoryId,
        phase,
        copying,
        waiting,
        ...(drift === undefined
          ? {}
          : { chunks: drift.chunks, missing: drift.missing, surplus: drift.surplus, misplaced: drift.misplaced }),
      };
      if (options.json === true) say(JSON.stringify(shown));
      else for (const [name, value] of Object.entries(shown)) say(`${name.padEnd(10)} ${value}`);
    });
  search
    .command('show')
    .description('show where the index of a memory is, and how many changes OpenSearch has still to be sent')
    .argument('<memory_id>')
    .option(...JSON_OPTION)
    .action((memoryId: string, options: Options) => manage(memoryId, 'state', options));
  search
    .command('move')
    .description('move the index of a memory while it is searched and written to')
    .argument('<memory_id>')
    .requiredOption('--to <place>', 'opensearch or postgres')
    .option(...JSON_OPTION)
    .action((memoryId: string, options: Options) => {
      const action = MOVES.get(options.to ?? '');
      if (action === undefined) throw new Error('--to must be opensearch or postgres');
      return manage(memoryId, action, options);
    });
  search
    .command('check')
    .description('compare the chunks of a memory in OpenSearch with those in PostgreSQL')
    .argument('<memory_id>')
    .option('--repair', 'send again what differs')
    .option(...JSON_OPTION)
    .action((memoryId: string, options: Options) =>
      manage(memoryId, options.repair === true ? 'repair' : 'check', options),
    );
  search
    .command('rebuild')
    .description('send every chunk of a memory to OpenSearch again, while it is searched')
    .argument('<memory_id>')
    .option(...JSON_OPTION)
    .action((memoryId: string, options: Options) => manage(memoryId, 'rebuild', options));
  addInstallationOptions(search, () => ['tenancy']);
}
