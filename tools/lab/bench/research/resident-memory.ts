import { processOfEach, type RunningCairn } from '@cairn/testing';
import { processMemory } from '../../measurement/process-memory.ts';

/** Resident megabytes at the start, and at the peak. */
export interface Resident {
  before: number;
  most: number;
}

const SAMPLE_EVERY_MS = 500;

/** Measures the resident memory of the services' processes. */
export async function watchMemory<Name extends string>(
  cairn: RunningCairn,
  services: readonly Name[],
): Promise<{ stop(): Record<Name, Resident> }> {
  const watched = await Promise.all(
    services.map(async (name) => {
      const pid = await pidOf(cairn, name);
      const before = (await processMemory(pid)).resident;
      return { name, pid, resident: { before, most: before } };
    }),
  );
  const timer = setInterval(() => {
    for (const { pid, resident } of watched)
      void processMemory(pid).then((now) => {
        resident.most = Math.max(resident.most, now.resident);
      });
  }, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return Object.fromEntries(watched.map(({ name, resident }) => [name, resident])) as Record<Name, Resident>;
    },
  };
}

async function pidOf(cairn: RunningCairn, service: string): Promise<number> {
  const pid = (await processOfEach(cairn)).get(service);
  if (pid === undefined) throw new Error(`no process of ${service} runs`);
  return pid;
}
