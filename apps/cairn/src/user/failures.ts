/** How a command ends, for scripts that go by it. */
export const EXIT = { done: 0, failed: 1, usage: 2, credential: 3, notFound: 4, limit: 5 } as const;

/** The command was not used as it can be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** No key is known, or none that may be used here. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

const EXIT_BY_STATUS: Record<number, number> = {
  401: EXIT.credential,
  402: EXIT.limit,
  403: EXIT.credential,
  404: EXIT.notFound,
  429: EXIT.limit,
};

/** What system errors are called in words; the path stands before. */
const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist.'],
  ['ENOTDIR', 'lies below something that is not a folder.'],
  ['EISDIR', 'is a folder, where a file is needed.'],
  ['EACCES', 'may not be accessed by you.'],
  ['EPERM', 'may not be changed by you.'],
  ['EEXIST', 'exists already.'],
  ['ENOSPC', 'could not be written: the disk is full.'],
  ['EROFS', 'lies on a disk that cannot be written to.'],
  ['ELOOP', 'is a symbolic link that leads back to itself.'],
  ['ENAMETOOLONG', 'has too long a name.'],
]);

/** The exit code that belongs to an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof CredentialError) return EXIT.credential;
  return exitCodeOfStatus(statusOf(error));
}

/** The exit code that belongs to the status of a refused call. */
export function exitCodeOfStatus(status: number): number {
  return EXIT_BY_STATUS[status] ?? EXIT.failed;
}

/** What an error says, without the words of the operating system. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  const said = code === undefined ? undefined : SYSTEM_ERRORS.get(code);
  if (said !== undefined && path !== undefined) return `${path} ${said}`;
  const fields = (error as { errors?: unknown }).errors;
  return [error.message, ...(Array.isArray(fields) ? fields.flatMap(fieldWords) : [])].join('\n');
}

function fieldWords(field: unknown): string[] {
  const { path, message } = (field ?? {}) as { path?: unknown; message?: unknown };
  return typeof path === 'string' && typeof message === 'string' ? [`  ${path}: ${message}`] : [];
}

function statusOf(error: unknown): number {
  const status = error instanceof Error ? (error as { status?: unknown }).status : undefined;
  return typeof status === 'number' ? status : 0;
}
