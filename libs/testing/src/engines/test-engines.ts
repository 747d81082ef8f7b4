import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedNats, startNats, startPostgres } from '@cairn/embedded';
import { SHARED_VARIABLE, stopSharedCairns } from './shared-folder.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

export const POSTGRES_URL_VARIABLE = 'CAIRN_TEST_POSTGRES_URL';
const CACHE_VARIABLE = 'CAIRN_TEST_CACHE_DIR';

export interface TestEngines {
  /** Where the engines are, for specs in any process. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the one PostgreSQL server that a test run shares; each spec file makes a database of its own in it. */
export async function startTestEngines(): Promise<TestEngines> {
  const folder = await temporaryFolder('cairn-test-');
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    // Data of a test run need not survive the machine.
    settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '300' },
  });
  return {
    env: {
      [POSTGRES_URL_VARIABLE]: postgres.superuserUrl,
      [CACHE_VARIABLE]: cacheFolder(),
      [SHARED_VARIABLE]: join(folder, 'shared'),
    },
    async stop() {
      await stopSharedCairns(join(folder, 'shared'));
      await postgres.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestNats extends EmbeddedNats {
  /** Where its streams lie. */
  dataDir: string;
  /** Ends the server with -9 and waits until it is gone. */
  kill9(): Promise<void>;
  /** Starts it again on the same port and data; the URL stays. */
  restart(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** A NATS server of one's own: it starts in milliseconds, and streams of other specs are not seen. */
export async function startTestNats(): Promise<TestNats> {
  const folder = await temporaryFolder('cairn-nats-');
  let nats = await startNats({ dataDir: folder, cacheDir: cacheFolder() });
  const { port } = nats;
  return Object.assign(
    { ...nats },
    {
      dataDir: folder,
      stop: () => nats.stop(),
      async kill9() {
        process.kill(nats.pid, 'SIGKILL');
        await nats.exited;
      },
      async restart() {
        nats = await startNats({ dataDir: folder, cacheDir: cacheFolder(), port });
      },
      async remove() {
        await nats.stop();
        await rm(folder, { recursive: true, force: true });
      },
    },
  );
}

/** Where the nats-server program is kept between test runs. */
export function cacheFolder(): string {
  return process.env[CACHE_VARIABLE] ?? join(homedir(), '.cache', 'cairn');
}
