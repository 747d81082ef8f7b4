import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createLogger } from '@cairn/service-kit';
import { type BenchDeps, BENCH_MEMORY, BENCH_VAULT_ID, openBenchDeps } from '../bench-memory.ts';
import { asSuperuser, type BenchServer, rowsOf, startBenchServer } from '../bench-server.ts';
import { startEnginePool, type EnginePool } from '../../../../../apps/memory/src/runtime/engine-pool.ts';
import type { EngineRuntime } from '../../../../../apps/memory/src/runtime/engine-runtime.ts';
import type { TargetMemory } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { MOVE_STEPS, MOVE_STARTED, type MoveStep } from './move-steps.ts';

/** Two engines, the pool that requests go through, and a register that says where the memory is. */
export interface MoveSetup {
  servers: { default: BenchServer; second: BenchServer };
  source: BenchDeps;
  pool: EnginePool;
  memory: TargetMemory;
  register: { engineId: string };
  /** Runs steps in a process of their own, which is killed after `killAfterMs`; returns those that it has ended. */
  run(
    moveId: string,
    from: MoveStep,
    to: MoveStep,
    options: { killAfterMs?: number; onStep?: (step: MoveStep) => void },
  ): Promise<MoveStep[]>;
  /** Whether an engine would serve the memory. */
  serving(): Promise<string[]>;
  close(): Promise<void>;
}

const SETTINGS = { max_connections: '60', shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' };
const MOVER = join(import.meta.dirname, 'move-process.ts');

export async function startMoveSetup(): Promise<MoveSetup> {
  const [first, second] = await Promise.all([startBenchServer(SETTINGS), startBenchServer(SETTINGS)]);
  const source = await openBenchDeps(first.urls);
  const target = await openBenchDeps(second.urls);
  const register = { engineId: 'default' };
  const pool = startEnginePool({
    defaultEngine: runtimeOf('default', source),
    listEngines: async () => [{ engineId: 'eng_second', revision: 1n, replicaUrls: [], searchUrl: '', ...second.urls }],
    start: () => runtimeOf('eng_second', target),
    locate: async () => register.engineId,
    pollMs: 5_000,
    onPoll: () => undefined,
    logger: createLogger('bench', 'silent'),
  });
  const servers = { default: first, second };
  return {
    servers,
    source,
    pool,
    register,
    memory: {
      ...BENCH_MEMORY,
      workspaceId: 'wsp_bench',
      rootVaultId: BENCH_VAULT_ID,
      engineId: 'default',
      spaceId: null,
      vaultId: BENCH_VAULT_ID,
    },
    run: (moveId, from, to, { killAfterMs, onStep }) =>
      runMover(
        { source: first.urls.workerUrl, target: second.urls.workerUrl, move: { ...BENCH_MEMORY, moveId }, from, to },
        (step) => {
          if (step === 'handOver') register.engineId = 'eng_second';
          onStep?.(step);
        },
        killAfterMs,
      ),
    serving: () => servingOf(servers),
    async close() {
      await pool.close();
      await Promise.all([source.close(), target.close()]);
      await Promise.all([first.remove(), second.remove()]);
    },
  };
}

function runtimeOf(engineId: string, { app, worker, index }: BenchDeps): EngineRuntime {
  return {
    engineId,
    revision: 1n,
    use: (work) => work({ database: app, reads: app, workerDatabase: worker, index, search: null }),
    close: async () => undefined,
  };
}

async function runMover(
  argument: Record<string, unknown>,
  onStep: (step: MoveStep) => void,
  killAfterMs?: number,
): Promise<MoveStep[]> {
  const child = spawn(process.execPath, [MOVER, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended: MoveStep[] = [];
  let timer: NodeJS.Timeout | undefined;
  createInterface(child.stdout).on('line', (line) => {
    if (line === MOVE_STARTED && killAfterMs !== undefined)
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const step = MOVE_STEPS.find((known) => known === line);
    if (step === undefined) return;
    ended.push(step);
    onStep(step);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (killAfterMs === undefined && code !== 0) throw new Error(`the mover ended with ${code}`);
  return ended;
}

async function servingOf(servers: MoveSetup['servers']): Promise<string[]> {
  const serving: string[] = [];
  for (const [name, server] of Object.entries(servers)) {
    const [row] = await asSuperuser(server.urls, (admin) =>
      rowsOf<{ serves: boolean }>(
        admin,
        `SELECT EXISTS (SELECT 1 FROM documents WHERE memory_id = $1)
            AND NOT EXISTS (SELECT 1 FROM memory_moves WHERE memory_id = $1 AND phase IN ('left', 'arriving')) AS serves`,
        [BENCH_MEMORY.memoryId],
      ),
    );
    if (row!.serves) serving.push(name);
  }
  return serving;
}
