import { readFile } from 'node:fs/promises';
import { processesOf, type RunningCairn } from '@cairn/testing';
import { memoryProcess } from './memory-process.ts';

/** Processor time in milliseconds that an installation took since it began; sessions that ended are not in it. */
export interface ProcessorTimes {
  all: number;
  memory: number;
  /** All PostgreSQL processes. */
  postgres: number;
}

/** `/proc/<pid>/stat` counts in hundredths of a second. */
const TICK_MS = 10;

export async function processorTimes(installation: RunningCairn): Promise<ProcessorTimes> {
  const memoryPid = await memoryProcess(installation);
  const times: ProcessorTimes = { all: 0, memory: 0, postgres: 0 };
  for (const pid of await processesOf(installation.dataDir, installation.pid)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat === '') continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ms = TICK_MS * (Number(fields[11]) + Number(fields[12]));
    times.all += ms;
    if (pid === memoryPid) times.memory += ms;
    if (/^\d+ \(postgres\)/.test(stat)) times.postgres += ms;
  }
  return times;
}
