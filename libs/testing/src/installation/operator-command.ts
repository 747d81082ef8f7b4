import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

export interface OperatorOrder {
  id: string;
  args: string[];
  environment: Record<string, string | undefined>;
}

export interface OperatorOutcome {
  id: string;
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface OperatorProcess {
  child: ChildProcess;
  waiting: Map<string, PromiseWithResolvers<OperatorOutcome>>;
}

/** Kept between the spec files of a worker: see tools/checks/jest/environment.cjs. */
const PROCESS = Symbol.for('cairn.operator-process');
const kept = globalThis as { [PROCESS]?: OperatorProcess };

/** Runs `cairn … --json` on the data folder of an installation, as its operator does, and returns what it printed. */
export async function operatorCommand<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'], {
    PATH: process.env['PATH'],
    CAIRN_DATA_DIR: dataDir,
  });
  if (exitCode !== 0) {
    const failure = new Error(`cairn ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    throw Object.assign(failure, { code: exitCode, stdout, stderr });
  }
  return JSON.parse(stdout) as T;
}

async function run(args: string[], environment: Record<string, string | undefined>): Promise<OperatorOutcome> {
  const { child, waiting } = (kept[PROCESS] ??= start());
  const outcome = Promise.withResolvers<OperatorOutcome>();
  const order: OperatorOrder = { id: randomUUID(), args, environment };
  waiting.set(order.id, outcome);
  // While it answers, this process waits for it; otherwise it keeps nobody from ending.
  child.channel?.ref();
  child.send(order);
  return outcome.promise.finally(() => {
    waiting.delete(order.id);
    if (waiting.size === 0) child.channel?.unref();
  });
}

function start(): OperatorProcess {
  const child = fork(join(import.meta.dirname, 'operator-process-main.ts'), [], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  const waiting: OperatorProcess['waiting'] = new Map();
  child.on('message', (outcome: OperatorOutcome) => waiting.get(outcome.id)?.resolve(outcome));
  child.once('exit', (code) => {
    delete kept[PROCESS];
    for (const { reject } of waiting.values()) reject(new Error(`the operator’s process ended with ${String(code)}`));
  });
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
