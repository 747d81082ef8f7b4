import { join } from 'node:path';
import { CAIRN_COMMAND } from './cairn-harness.ts';
import type { OperatorOrder, OperatorOutcome } from './operator-command.ts';

// Runs command lines of the operator one after the other for a spec, in one process: loading the command line takes most
// of the time of a command.

type RunCommandLine = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  streams: NodeJS.Process,
) => Promise<number>;

const COMMAND_LINE = join(CAIRN_COMMAND, '..', 'command-line.ts');
const { runCommandLine } = (await import(COMMAND_LINE)) as { runCommandLine: RunCommandLine };
let last: Promise<void> = Promise.resolve();
process.on('message', (order: OperatorOrder) => {
  last = last.then(async () => void process.send!(await outcomeOf(order)));
});
process.on('disconnect', () => process.exit(0));

async function outcomeOf({ id, args, environment }: OperatorOrder): Promise<OperatorOutcome> {
  const written = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const own = streams.map((name) => process[name].write);
  for (const name of streams)
    process[name].write = ((chunk: string | Uint8Array) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }) as NodeJS.WriteStream['write'];
  try {
    const exitCode = await runCommandLine(args, environment, process);
    return { id, exitCode, ...written };
  } catch (error) {
    return { id, exitCode: 1, ...written, stderr: `${written.stderr}${String(error)}` };
  } finally {
    for (const [at, name] of streams.entries()) process[name].write = own[at]!;
  }
}
