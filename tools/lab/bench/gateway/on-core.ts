import { cpus } from 'node:os';

/** The command bound to one core, where there is more than one and the system can do it. */
export function onCore(core: number, command: readonly string[]): string[] {
  if (process.platform !== 'linux' || cpus().length < 2) return [...command];
  return ['taskset', '-c', String(core), ...command];
}
