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
