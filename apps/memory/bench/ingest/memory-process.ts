import { readFile } from 'node:fs/promises';
import { processOfEach, type RunningCairn } from '@cairn/testing';

/** The memory service's process of an installation, or null while it is being started. */
export async function memoryProcess(cairn: RunningCairn): Promise<number | null> {
  return (await processOfEach(cairn)).get('memory') ?? null;
}

/** A variable of a process's environment. */
export async function variableOf(pid: number, name: string): Promise<string> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  const entry = environment.split('\0').find((each) => each.startsWith(`${name}=`));
  if (entry === undefined) throw new Error(`${name} is not set in process ${pid}`);
  return entry.slice(name.length + 1);
}

/** Resident memory of a process in MiB, now and at its highest. */
export async function residentMb(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => {
    const line = status.split('\n').find((each) => each.startsWith(`${name}:`)) ?? '';
    return Math.round(Number.parseInt(line.slice(name.length + 1).trim() || '0', 10) / 1_024);
  };
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
