import { readFile } from 'node:fs/promises';
import { processesOf, type RunningCairn } from '@cairn/testing';
import { memoryProcess } from './memory-process.ts';

/** Processor time in milliseconds that an installation took since it began, by what runs and what has ended. */
interface ProcessorTimes {
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
    // Its own as user and in the system, and that of children that ended: sessions of PostgreSQL come and go.
    const ms = TICK_MS * fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    times.all += ms;
    if (pid === memoryPid) times.memory += ms;
    if (/^\d+ \(postgres\)/.test(stat)) times.postgres += ms;
  }
  return times;
}
