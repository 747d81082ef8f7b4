import cliProgress from 'cli-progress';
import { Command, CommanderError } from 'commander';
import { ask, sourceLines } from './ask.ts';
import { addBackupCommands } from './backup/backup-commands.ts';
import { readConnection } from './client.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { ingestPaths } from './ingest.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { runUp } from './run-up.ts';
import type { Settings } from './settings.ts';

const say = (line = '') => process.stdout.write(`${line}\n`);

/** Runs one command and returns the exit code. */
export async function runCommandLine(argv: readonly string[], settings: Settings): Promise<number> {
  let exitCode = 0;
  const program = new Command('cairn')
    .description('Cairn: memory, search and research for a whole organisation.')
    .exitOverride();
  program
    .command('up')
    .description('start PostgreSQL, NATS and every service on this machine')
    .option('--no-demo', 'do not ingest the example handbook on the first start')
    .action(async (options: { demo: boolean }) => {
      exitCode = await runUp(settings, options, say);
    });
  program
    .command('ingest')
    .description(
      'ingest files into a memory and wait until they are searchable: text, Markdown, PDF, Office, CSV, JSON, HTML, e-mail',
    )
    .argument('<path...>', 'files or folders')
    .option('--memory <memory_id>', 'default: the primary memory of the default workspace')
    .action(async (paths: string[], options: { memory?: string }) => {
      exitCode = await runIngest(settings, paths, options.memory);
    });
  program
    .command('ask')
    .description('ask a memory and get a cited answer')
    .argument('<question...>', 'the question')
    .option('--memory <memory_id>', 'default: the primary memory of the default workspace')
    .action(async (words: string[], options: { memory?: string }) => {
      await runAsk(settings, words.join(' '), options.memory);
    });
  addBackupCommands(program, settings, say);
  addDoctorCommand(program, settings, say, (code) => {
    exitCode = code;
  });
  addOperatorCommands(program, settings, say);
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function runIngest(settings: Settings, paths: string[], memoryId: string | undefined): Promise<number> {
  const client = await readConnection(settings);
  const bar = process.stdout.isTTY
    ? new cliProgress.SingleBar({ format: '{bar} {value}/{total} documents' }, cliProgress.Presets.shades_classic)
    : null;
  const result = await ingestPaths(client, paths, {
    memoryId,
    onProgress: ({ total, completed, failed }) => {
      if (bar === null) return;
      if (!bar.isActive) bar.start(total, 0);
      bar.setTotal(total);
      bar.update(completed + failed);
    },
  });
  bar?.stop();
  say(`${result.completed} documents are searchable${result.failed > 0 ? `, ${result.failed} failed` : ''}.`);
  for (const { path, message } of result.failures) say(`  ${path}: ${message}`);
  if (result.skipped.length > 0) say(`${result.skipped.length} files of unsupported types were skipped.`);
  return result.failed > 0 ? 1 : 0;
}

async function runAsk(settings: Settings, question: string, memoryId: string | undefined): Promise<void> {
  const client = await readConnection(settings);
  const answer = await ask(client, question, { memoryId, onToken: (text) => process.stdout.write(text) });
  say();
  if (answer.citations.length > 0) say();
  for (const line of sourceLines(answer.citations)) say(line);
  if (answer.followups.length > 0) say();
  for (const followup of answer.followups) say(`  → ${followup}`);
}
