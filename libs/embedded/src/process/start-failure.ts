import { EmbeddedStartError, errorCode, errorText } from '../embedded-start-error.ts';

/** Turns any failure of a start into the error that callers expect, with the most helpful hint its kind allows. */
export function startFailure(server: string, dataDir: string, error: unknown): EmbeddedStartError {
  if (error instanceof EmbeddedStartError) return error;
  return new EmbeddedStartError(
    'start_failed',
    `${server} cannot start on ${dataDir}: ${errorText(error)}`,
    hintFor(dataDir, error),
    { cause: error },
  );
}

function hintFor(dataDir: string, error: unknown): string {
  const code = errorCode(error);
  const call = (error as { syscall?: unknown }).syscall;
  const systemCall = typeof call === 'string' ? call : '';
  if (code === 'EPERM' && (systemCall.startsWith('spawn') || systemCall === 'chown')) {
    return 'This environment does not let root become another user, which PostgreSQL needs: start as an ordinary user.';
  }
  if (systemCall.startsWith('spawn')) {
    return 'The program cannot be executed: it needs glibc, and a folder that is not mounted noexec.';
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `Start as the user who owns ${dataDir}, or choose another data folder.`;
  }
  if (code === 'ENOSPC') return 'The disk is full: make room and start again.';
  return `Check that ${dataDir} is a folder on a local, writable disk.`;
}
