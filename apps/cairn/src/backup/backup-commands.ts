import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { parseTime } from '../parse-time.ts';
import { backUpInstallation } from './back-up-installation.ts';
import { restoreInstallation } from './restore-installation.ts';

interface RestoreFlags {
  into: string;
  toTime?: string;
  walArchive?: string;
  journalFrom?: string;
  acceptLostRevocations?: boolean;
  revokeAllCredentials?: boolean;
}

/** `backup` and `restore`, for the embedded installation. */
export function addBackupCommands(
  program: Command,
  settings: Pick<Config, 'dataDir' | 'walArchiveDir'>,
  say: (line?: string) => void,
): void {
  program
    .command('backup')
    .description('back up the installation of “npm start”, running or not, into a new folder below the given one')
    .argument('<folder>', 'best on another disk')
    .action(async (folder: string) => {
      const backup = await backUpInstallation(settings.dataDir, resolve(folder), say);
      say(`Backup: ${backup}`);
      say('It contains every secret of the installation, unencrypted: anyone who has it can read all data.');
      say('Keep it where only you can read it, or encrypt it.');
    });
  program
    .command('restore')
    .description('restore a backup into a new data folder, check it, and leave it stopped')
    .argument('<folder>', 'a backup, or the folder of backups')
    .requiredOption('--into <folder>', 'new data folder; start it with CAIRN_DATA_DIR=<folder>')
    .option('--to-time <time>', 'restore to this instant, e.g. 2026-11-22T14:00:00Z; needs the archived log')
    .option('--wal-archive <folder>', 'archived log. Default: CAIRN_WAL_ARCHIVE_DIR')
    .option('--journal-from <folder>', 'old data folder: its broker knows what was revoked and deleted since')
    .option('--accept-lost-revocations', 'no old data folder is left: what was revoked since becomes valid again')
    .option(
      '--revoke-all-credentials',
      'with --accept-lost-revocations: revoke every key, member, OAuth client, connected app, session and token',
    )
    .action(async (folder: string, flags: RestoreFlags) => {
      if ((flags.journalFrom === undefined) === (flags.acceptLostRevocations !== true))
        throw new Error(
          'Keys that were revoked after the backup are valid in it. Name the old data folder with --journal-from, so ' +
            'that they are revoked again; or, when it is lost, say --accept-lost-revocations, if need be with ' +
            '--revoke-all-credentials.',
        );
      await restoreInstallation(
        {
          from: resolve(folder),
          into: resolve(flags.into),
          toTime: flags.toTime === undefined ? undefined : parseTime('--to-time', flags.toTime),
          walArchive: flags.walArchive === undefined ? settings.walArchiveDir : resolve(flags.walArchive),
          journalFrom: flags.journalFrom === undefined ? undefined : resolve(flags.journalFrom),
          revokeAll: flags.revokeAllCredentials === true,
        },
        say,
      );
      say(`Restored into ${resolve(flags.into)}. Start it with CAIRN_DATA_DIR=${resolve(flags.into)} npm start`);
    });
}
