import { createHash } from 'node:crypto';
import { errorText } from '../embedded-start-error.ts';

/** Without the network a start must not wait: a server that has not begun to answer by then counts as unreachable. */
const ANSWER_TIMEOUT_MS = 4_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const DOWNLOAD_MAX_BYTES = 64 * 1024 * 1024;

/** Fetches a file into memory, within bounds. Throws with `what` and the address in the message. */
export async function download(url: string, what: string, accept = '*/*'): Promise<Buffer> {
  const unanswered = new AbortController();
  const waiting = setTimeout(() => unanswered.abort(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
  try {
    const signal = AbortSignal.any([unanswered.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
    const response = await fetch(url, { signal, headers: { accept } });
    clearTimeout(waiting);
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
    const parts: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const part of response.body) {
      sizeBytes += part.length;
      if (sizeBytes > DOWNLOAD_MAX_BYTES) throw new Error(`it is larger than ${DOWNLOAD_MAX_BYTES} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? ` (${errorText(error.cause)})` : '';
    throw new Error(`${what}: ${url}: ${errorText(error)}${cause}`, { cause: error });
  } finally {
    clearTimeout(waiting);
  }
}

/** Throws unless the SHA-256 of the bytes is the expected one, in hexadecimal. */
export function assertChecksum(bytes: Buffer, expected: string, what: string): void {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== expected) throw new Error(`${what} has checksum ${actual}, not ${expected}`);
}
