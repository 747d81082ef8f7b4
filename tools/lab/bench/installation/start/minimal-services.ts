import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RunningCairn } from '@cairn/testing';

/** Starts as many bare services as an installation has services, on its engines; returns them when all are ready. */
export async function startMinimalServices(cairn: RunningCairn, count: number): Promise<ChildProcess[]> {
  const [databaseUrl, eventsUrl] = await Promise.all([cairn.databaseUrl(), cairn.eventsUrl()]);
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'minimal-service.ts'), [databaseUrl, eventsUrl], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  const ready = children.map(async (child) => {
    const [code] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`a bare service ended: ${String(code)}`);
  });
  await Promise.all(ready);
  return children;
}

export async function endAll(children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    }),
  );
}
