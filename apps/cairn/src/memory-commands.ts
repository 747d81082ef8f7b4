import type { MemoryMoveMessage } from '@cairn/contracts';
import type { Command } from 'commander';
import { addInstallationOptions, type AsOperator } from './installation-options.ts';
import { type Json, JSON_OPTION, printTable, type PrintLine } from './print-table.ts';

/** `operator memory`: moves memories between engines while they are used. */
export function addMemoryCommands(group: Command, say: PrintLine, asOperator: AsOperator): void {
  const memory = group.command('memory').description('move memories between engines while they are used');
  memory
    .command('move')
    .description('start moving a memory to another engine; `memory moves` shows how far it is')
    .argument('<memory_id>')
    .option('--to <engine>', 'identifier or name of the engine')
    .option('--cancel', 'give the move up, unless it was handed over')
    .option(...JSON_OPTION)
    .action((memoryId: string, options: Json & { to?: string; cancel?: boolean }) =>
      asOperator(options, async ({ tenancy }) => {
        const cancel = options.cancel === true;
        if (cancel === (options.to !== undefined)) throw new Error('either --to or --cancel is needed');
        const { move } = await tenancy.moveMemory({ memoryId, toEngine: options.to ?? '', cancel });
        printMoves(say, options, [move!]);
      }),
    );
  memory
    .command('moves')
    .description('list the moves that are under way')
    .option(...JSON_OPTION)
    .action((options: Json) =>
      asOperator(options, async ({ tenancy }) => printMoves(say, options, (await tenancy.listMoves({})).moves)),
    );
  addInstallationOptions(memory, () => ['tenancy']);
}

export function printMoves(say: PrintLine, options: Json, moves: readonly MemoryMoveMessage[]): void {
  printTable(
    say,
    options,
    moves.map((move) => ({
      memory_id: move.memoryId,
      from: move.fromEngineId,
      to: move.toEngineId,
      step: move.step || '-',
      error: move.error || '-',
    })),
  );
}
