import { chown } from 'node:fs/promises';
import { EmbeddedStartError } from './embedded-start-error.ts';
import { makeFolder } from './folders.ts';
import { canReach, postgresAccount, runningAsRoot } from './server-account.ts';

/** Longest that a committed transaction waits for its log file to be archived, in seconds. */
const ARCHIVE_TIMEOUT_S = 60;
/** The path goes into a shell command of PostgreSQL's. */
const SAFE_PATH = /^\/[\w./ +@,=-]+$/;

/**
 * Server settings that copy every finished file of the write-ahead log to a folder, which is made if need be. A file
 * appears there whole: it is written under another name, synced, and renamed. Throws when PostgreSQL cannot write there.
 */
export async function walArchiveSettings(folder: string): Promise<Record<string, string>> {
  if (!SAFE_PATH.test(folder))
    throw unusable(folder, 'its path is not absolute or contains characters that a shell may misread');
  await makeFolder(folder, 0o700);
  if (runningAsRoot()) {
    const account = await postgresAccount();
    await chown(folder, account.uid, account.gid);
    if (!(await canReach(account, folder))) throw unusable(folder, `uid ${account.uid} cannot get there`);
  }
  const file = `${folder}/%f`;
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_TIMEOUT_S),
    // Sent again after a crash, the same file is copied once more, which changes nothing.
    archive_command: `cp "%p" "${file}.part" && sync "${file}.part" && mv "${file}.part" "${file}"`,
  };
}

function unusable(folder: string, why: string): EmbeddedStartError {
  return new EmbeddedStartError(
    'start_failed',
    `The write-ahead log cannot be archived in ${folder}: ${why}.`,
    'Choose another folder, one that the account that runs PostgreSQL can reach.',
  );
}
