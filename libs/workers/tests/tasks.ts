import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

// The tasks of the specs, good and hostile.

export function double(value: number): number {
  return value * 2;
}

export function size(bytes: Uint8Array): number {
  return bytes.length;
}

export async function slow(ms: number): Promise<number> {
  await sleep(ms);
  return process.pid;
}

let loadedAt: number | null = null;

export function load(): void {
  loadedAt = getPriority();
}

/** The priority at which `load` ran in this process; null when it did not. */
export function priorityOfLoad(): number | null {
  return loadedAt;
}

export function pid(): number {
  return process.pid;
}

export function fail(message: string): never {
  throw new TypeError(message);
}

export function uncloneable(): unknown {
  return () => 1;
}

export function loop(): never {
  for (;;);
}

/** An unhandled error, which ends a process while it has no task. */
export function dieLater(ms: number): number {
  setTimeout(() => {
    throw new Error('late');
  }, ms);
  return process.pid;
}

export function segfault(): void {
  process.kill(process.pid, 'SIGSEGV');
}

/** V8 ends the process for this one, even when only a thread's limit is passed. */
export function growMap(): void {
  const map = new Map<number, object>();
  for (let key = 0; ; key += 1) map.set(key, { key });
}

export function growHeap(): void {
  const all: object[] = [];
  for (;;) all.push({ all });
}

/** Keeps the heap just below what it may be, so that a kill and the limit come together. */
export function growSlowly(perTick: number): Promise<never> {
  const all: number[][] = [];
  return new Promise(() => {
    setInterval(() => {
      for (let index = 0; index < perTick; index += 1) all.push(Array.from({ length: 1_000 }, Math.random));
    }, 1);
  });
}

/** Memory that V8's heap limit knows nothing of. */
export function growOutsideHeap(): number {
  const all: Buffer[] = [];
  for (;;) all.push(Buffer.alloc(16 * 1_048_576, 1));
}

export function surroundings(): { env: string[]; canWrite: boolean } {
  return { env: Object.keys(process.env).toSorted(), canWrite: process.permission.has('fs.write') };
}
