import { readFile } from 'node:fs/promises';
import { KeysService } from '@cairn/contracts';
import { createTokenVerifier } from '@cairn/identity';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, listenGrpc, rpc } from '../src/index.ts';

/** A replica that can be killed. The argument is the file with the public keys; it tells its parent where it listens. */
const { keys } = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as { keys: [] };
const service = rpc(KeysService, {
  async resolve() {
    // So that a kill meets calls that have arrived.
    await sleep(20);
    return { result: { case: 'credential' as const, value: { keyId: `replica ${process.pid}` } } };
  },
  renewLease: async () => ({}),
  reportUsage: async () => ({}),
});
const server = await listenGrpc(
  [service],
  { host: '127.0.0.1', port: 0 },
  await createTokenVerifier(keys),
  createLogger('replica', 'silent'),
);
process.send!(server.address);
