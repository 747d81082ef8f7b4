import { chown, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { makeFolder } from '../files/folders.ts';
import { readFileIfThere, syncDirectory } from '../files/private-file.ts';
import { canReach, postgresAccount, runningAsRoot } from '../process/server-account.ts';

/** Longest that a committed transaction waits for its log file to be archived, in seconds. */
const ARCHIVE_TIMEOUT_S = 60;
/** The path goes into a shell command of PostgreSQL's. */
const SAFE_PATH = /^\/[\w./ +@,=-]+$/;
const TIMELINE_HISTORY = /^[0-9A-F]{8}\.history$/;

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
  const copy = `cp "%p" "${file}.part" && sync "${file}.part" && mv "${file}.part" "${file}"`;
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_TIMEOUT_S),
    // After a crash a file is sent again, and is there already. One with other content is another server's: it stays.
    archive_command: `if [ -e "${file}" ]; then cmp -s "%p" "${file}"; else ${copy}; fi`,
  };
}

/**
 * Copies the histories of a cluster's timelines that an archive lacks. A restored cluster gets its timeline before it
 * archives anything, and without the history no later restore would find the log of that timeline.
 */
export async function archiveTimelines(dataDirectory: string, folder: string): Promise<void> {
  const wal = join(dataDirectory, 'pg_wal');
  for (const name of (await readdir(wal)).filter((each) => TIMELINE_HISTORY.test(each))) {
    const history = await readFile(join(wal, name), 'utf8');
    const archived = await readFileIfThere(join(folder, name));
    if (archived === null) await addToArchive(folder, name, history);
    else if (archived !== history) throw unusable(folder, `the ${name} in it is of another server`);
  }
}

/** Under another name at first, so that it appears whole; of the account that PostgreSQL runs as, as the folder is. */
async function addToArchive(folder: string, name: string, content: string): Promise<void> {
  const draft = join(folder, `${name}.start.part`);
  await writeFile(draft, content, { mode: 0o600, flush: true });
  if (runningAsRoot()) {
    const owner = await stat(folder);
    await chown(draft, owner.uid, owner.gid);
  }
  await rename(draft, join(folder, name));
  await syncDirectory(folder);
}

function unusable(folder: string, why: string): EmbeddedStartError {
  return new EmbeddedStartError(
    'start_failed',
    `The write-ahead log cannot be archived in ${folder}: ${why}.`,
    'Choose another folder, one that the account that runs PostgreSQL can reach.',
  );
}
