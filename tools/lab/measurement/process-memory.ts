import { readFile } from 'node:fs/promises';

/** Of one process, in MiB. */
interface ProcessMemory {
  /** Resident, with the pages that it shares with others. */
  resident: number;
  residentPeak: number;
}

/** Zeros when it has ended. */
export async function processMemory(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return { resident: mebibytes(status, 'VmRSS'), residentPeak: mebibytes(status, 'VmHWM') };
}

/** Of one process, in MiB. */
interface MemoryShare {
  resident: number;
  /** Pages that several share are counted in equal parts: the sum over all processes is what they take together. */
  proportional: number;
  /** What no file backs: heap, stacks, shared memory. A container is charged for it. */
  anonymous: number;
}

/** Walks the page tables of the process, which takes milliseconds. Zeros when it has ended. */
export async function memoryShare(pid: number): Promise<MemoryShare> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return {
    resident: mebibytes(rollup, 'Rss'),
    proportional: mebibytes(rollup, 'Pss'),
    anonymous: mebibytes(rollup, 'Anonymous'),
  };
}

function mebibytes(text: string, field: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${field}:`)) ?? '';
  return Number.parseInt(line.slice(field.length + 1).trim() || '0', 10) / 1_024;
}
