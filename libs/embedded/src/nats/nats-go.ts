import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../embedded-start-error.ts';
import { PINNED_VERSION } from './nats-release.ts';

const run = promisify(execFile);
const MODULE = `github.com/nats-io/nats-server/v2@v${PINNED_VERSION}`;
const BUILD_TIMEOUT_MS = 10 * 60_000;
const OUTPUT_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Builds the pinned version where Go is installed; Go compares the sources with its checksum database. Returns the
 * program's path below `folder`.
 */
export async function buildNatsServer(
  folder: string,
  searchPath: string | undefined,
  log: (line: string) => void,
): Promise<string> {
  const env = searchPath === undefined ? {} : { env: { PATH: searchPath } };
  await run('/bin/sh', ['-c', 'command -v go'], env).catch(() => {
    throw new Error('go install: there is no Go here');
  });
  log(`NATS: building nats-server ${PINNED_VERSION} with Go, which takes a minute or more`);
  try {
    // The shell adds to the environment of this process: the account's settings hold, its module proxy among them.
    const command = 'GOBIN="$0" CGO_ENABLED=0 exec go install "$1"';
    const limits = { timeout: BUILD_TIMEOUT_MS, maxBuffer: OUTPUT_MAX_BYTES };
    await run('/bin/sh', ['-c', command, folder, MODULE], { ...limits, ...env });
  } catch (error) {
    const isLate = (error as { killed?: boolean }).killed === true;
    const reason = isLate ? `it had not ended after ${BUILD_TIMEOUT_MS / 60_000} minutes` : errorText(error);
    throw new Error(`go install: ${reason}`, { cause: error });
  }
  return join(folder, 'nats-server');
}
