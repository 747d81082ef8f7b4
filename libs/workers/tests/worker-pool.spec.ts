import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@cairn/testing';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from '../src/index.ts';
import type * as tasks from './tasks.ts';

const FILE = join(import.meta.dirname, 'tasks.ts');
const TENANT = 'tnt_1';
const pools: WorkerPool<typeof tasks>[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function pool(options: Partial<WorkerPoolOptions> = {}): WorkerPool<typeof tasks> {
  const made = createWorkerPool<typeof tasks>({
    name: 'test',
    file: FILE,
    workers: 2,
    cpuMaxMs: 30_000,
    heapMaxMb: 64,
    queueMax: 100,
    cooldownMs: 0,
    ...options,
  });
  pools.push(made);
  return made;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a worker pool', () => {
  it('runs tasks in a process that is kept, with none of the service’s environment and no right to write', async () => {
    const { run } = pool();
    const first = await run(TENANT, undefined as never, 'pid');
    expect(first).not.toBe(process.pid);
    expect(await run(TENANT, 21, 'double')).toBe(42);
    expect(await run(TENANT, new Uint8Array(5_000_000), 'size')).toBe(5_000_000);
    expect(await run(TENANT, undefined as never, 'pid')).toBe(first);
    const { env, canWrite } = await run(TENANT, undefined as never, 'surroundings');
    expect(env).toEqual(['PWD', 'TZ']);
    expect(canWrite).toBe(false);
  });

  it('gives way to the process that answers requests', async () => {
    const worker = await pool().run(TENANT, undefined as never, 'pid');
    expect(getPriority(worker)).toBeGreaterThan(getPriority());
    const session = `/proc/${worker}/autogroup`;
    if (existsSync(session)) expect(readFileSync(session, 'utf8')).toMatch(/ nice 5$/m);
  });

  it('is warm with one process that has loaded what tasks need, at the priority of the service', async () => {
    const made = pool({ warmUp: 'load' });
    expect(made.isWarm()).toBe(false);
    await Promise.all([made.warm(), made.warm()]);
    expect(made.isWarm()).toBe(true);
    expect(await made.run(TENANT, undefined as never, 'priorityOfLoad')).toBe(getPriority());
    expect(getPriority(await made.run(TENANT, undefined as never, 'pid'))).toBeGreaterThan(getPriority());
    const broken = pool({ file: join(import.meta.dirname, 'no-such-file.ts') });
    await expect(broken.warm()).rejects.toThrow('could not be started');
    expect(broken.isWarm()).toBe(false);
  });

  it('lets nobody wait for ever for a process that does not get warm', async () => {
    const broken = pool({ file: join(import.meta.dirname, 'no-such-file.ts') });
    for (let failures = 0; failures < 2; failures++) await expect(broken.warm()).rejects.toThrow();
    await broken.warm();
    expect(broken.isWarm()).toBe(false);
    await expect(broken.run(TENANT, undefined as never, 'pid')).rejects.toThrow('could not be started');
    const closing = new AbortController();
    const slow = pool({ warmUp: 'loop' });
    const warming = slow.warm(closing.signal);
    closing.abort();
    await warming;
    expect(slow.isWarm()).toBe(false);
  });

  it('passes on what a task throws, and says so when a result cannot be sent', async () => {
    const { run } = pool();
    await expect(run(TENANT, 'no such thing', 'fail')).rejects.toMatchObject({
      name: 'TypeError',
      message: 'no such thing',
    });
    await expect(run(TENANT, undefined as never, 'uncloneable')).rejects.toThrow(/could not be cloned/);
    expect(await run(TENANT, 1, 'double')).toBe(2);
  });

  it.each([
    ['runs for ever', 'loop', 'timed_out'],
    ['fills the heap', 'growHeap', 'out_of_memory'],
    ['grows a map, for which V8 would end the whole service if it were a thread', 'growMap', 'out_of_memory'],
    ['takes memory outside of the heap', 'growOutsideHeap', 'out_of_memory'],
    ['breaks the process', 'segfault', 'crashed'],
  ] as const)('ends a task that %s, and nothing else', async (_what, name, reason) => {
    const { run } = pool({ heapMaxMb: 32, memoryMaxMb: 192 });
    const other = run('tnt_2', 200, 'slow');
    const limits = reason === 'timed_out' ? { cpuMaxMs: 300 } : {};
    await expect(run(TENANT, undefined as never, name, limits)).rejects.toMatchObject({
      name: 'WorkerFailure',
      reason,
    });
    expect(await other).toEqual(expect.any(Number));
    expect(await run(TENANT, 2, 'double')).toBe(4);
  });

  it('does not count the time that a task waits', async () => {
    const { run } = pool({ cpuMaxMs: 200 });
    expect(await run(TENANT, 1_000, 'slow')).toEqual(expect.any(Number));
  });

  it('goes on when a process dies that has no task', async () => {
    const { run } = pool();
    const pid = await run(TENANT, 20, 'dieLater');
    await eventually(() => !isAlive(pid));
    expect(await run(TENANT, 3, 'double')).toBe(6);
  });

  it('makes a tenant wait whose task ended its process, and nobody else', async () => {
    const { run } = pool({ cooldownMs: 4_000 });
    await expect(run(TENANT, undefined as never, 'segfault')).rejects.toThrow('ended its worker process');
    const order: string[] = [];
    await Promise.all([
      run(TENANT, 1, 'double').then(() => order.push('the one')),
      run('tnt_2', 200, 'slow').then(() => order.push('the other')),
    ]);
    expect(order).toEqual(['the other', 'the one']);
  });

  it('goes on however close the end of the heap is to the end of the time', async () => {
    const { run } = pool({ heapMaxMb: 24 });
    const failed: string[] = [];
    const rounds = Array.from({ length: 12 }, (_, round) =>
      run(`tnt_${round}`, 40, 'growSlowly', { cpuMaxMs: 60 + round * 20 }).catch((error: { reason: string }) =>
        failed.push(error.reason),
      ),
    );
    await Promise.all(rounds);
    expect(failed).toHaveLength(12);
    expect(failed.every((reason) => reason === 'timed_out' || reason === 'out_of_memory')).toBe(true);
    expect(await run(TENANT, 4, 'double')).toBe(8);
  }, 60_000);

  it('refuses what does not fit into its queue', async () => {
    const { run } = pool({ workers: 1, queueMax: 1 });
    const held = run(TENANT, 300, 'slow');
    const waiting = run(TENANT, 1, 'double');
    await expect(run(TENANT, 2, 'double')).rejects.toMatchObject({ code: 'unavailable' });
    await held;
    expect(await waiting).toBe(2);
  });

  it('ends a task that nobody waits for any more', async () => {
    const { run } = pool();
    const abort = new AbortController();
    const given = run(TENANT, undefined as never, 'loop', { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('cancelled')), 50);
    await expect(given).rejects.toThrow('cancelled');
  });

  it('replaces a process after so many tasks, and gives up one that is idle', async () => {
    const { run } = pool({ tasksMax: 2, idleMs: 1_500 });
    const first = await run(TENANT, undefined as never, 'pid');
    expect(await run(TENANT, undefined as never, 'pid')).toBe(first);
    const second = await run(TENANT, undefined as never, 'pid');
    expect(second).not.toBe(first);
    await eventually(() => !isAlive(second));
  });

  it('leaves no process behind when it is closed in the middle of a task', async () => {
    const closing = pool();
    const pid = await closing.run(TENANT, undefined as never, 'pid');
    const given = closing.run(TENANT, undefined as never, 'loop');
    await Promise.all([closing.close(), expect(given).rejects.toMatchObject({ code: 'unavailable' })]);
    expect(isAlive(pid)).toBe(false);
  });

  it('leaves no process behind when the service is killed in the middle of a task', async () => {
    const service = spawn(process.execPath, [join(import.meta.dirname, 'killed-service.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await service.stdout.take(1).toArray()) as [Buffer];
    const pid = Number(text.toString());
    expect(isAlive(pid)).toBe(true);
    service.kill('SIGKILL');
    await eventually(() => !isAlive(pid));
  });
});
