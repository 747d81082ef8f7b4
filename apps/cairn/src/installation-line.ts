import { resolve } from 'node:path';
import { ConfigError, parseConfig } from '@cairn/service-kit';
import { Command, CommanderError } from 'commander';
import { addBackupCommands } from './backup/backup-commands.ts';
import { variables } from './config.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { runUp } from './run-up.ts';
import { addStatusCommands } from './status/status-commands.ts';
import type { Settings } from './settings.ts';
import { EXIT, wordsOf } from './user/failures.ts';
import type { Variables } from './user/places.ts';

const say = (line = '') => void process.stdout.write(`${line}\n`);

/** Runs one command about an installation and returns the exit code. */
export async function runInstallationLine(argv: readonly string[], environment: Variables): Promise<number> {
  try {
    const config = parseConfig(variables, environment);
    return await run(argv, { ...config, dataDir: resolve(config.dataDir), environment });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`cairn: ${error instanceof ConfigError ? error.message : wordsOf(error)}\n`);
    return EXIT.failed;
  }
}

async function run(argv: readonly string[], settings: Settings): Promise<number> {
  let exitCode = 0;
  const end = (code: number) => {
    exitCode = code;
  };
  const program = new Command('cairn')
    .description('Cairn: memory, search and research for a whole organisation.')
    .exitOverride();
  declareInstallationCommands(program, settings, end);
  await program.parseAsync([...argv], { from: 'user' });
  return exitCode;
}

/** Declares the commands about an installation below the program. */
export function declareInstallationCommands(program: Command, settings: Settings, end: (code: number) => void): void {
  program
    .command('up')
    .description('start PostgreSQL, NATS and every service on this machine')
    .option('--port <port>', 'of the gateway; 0 picks a free one. Default: CAIRN_PORT, else 8080')
    .option('--no-demo', 'do not ingest the example handbook on the first start')
    .action(async ({ port, demo }: { port?: string; demo: boolean }) => {
      end(await runUp(port === undefined ? settings : { ...settings, port: portOf(port) }, { demo }, say));
    });
  addStatusCommands(program, settings, say, end);
  addBackupCommands(program, settings, say);
  addDoctorCommand(program, settings, say, end);
  addOperatorCommands(program, settings, say);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('--port must be a number from 0 to 65535.');
  return port;
}
