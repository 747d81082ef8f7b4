import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestIdentities } from '@cairn/testing';

export interface ReplicaProcess {
  address: string;
  kill9(): Promise<void>;
}

/** Starts a replica as a process of its own. */
export async function startReplicaProcess(identities: TestIdentities): Promise<ReplicaProcess> {
  const child = fork(join(import.meta.dirname, 'replica-process.ts'), [identities.jwksFile], { execArgv: [] });
  const ended = once(child, 'exit');
  const [address] = (await once(child, 'message')) as [string];
  return {
    address,
    async kill9() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
