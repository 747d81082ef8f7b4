import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { acceptLostDecisions, markRestored, readRestoreStatus } from './accept-lost.ts';

interface Flags {
  adminUrl?: string;
  revokeAllCredentials?: boolean;
  json?: boolean;
}

/** `operator restore`: after PostgreSQL was restored, before or while the services start. */
export function addRestoreCommands(operator: Command, settings: Config, say: (line?: string) => void): void {
  const restore = operator.command('restore').description('after a restore of PostgreSQL');
  const urlOf = ({ adminUrl = settings.databaseAdminUrl }: Flags) => {
    if (adminUrl === undefined) throw new Error('Set --admin-url or CAIRN_DATABASE_ADMIN_URL.');
    return adminUrl;
  };
  const command = (name: string, description: string) =>
    restore
      .command(name)
      .description(description)
      .option(
        '--admin-url <url>',
        'postgres:// URL of a superuser, with the database. Default: CAIRN_DATABASE_ADMIN_URL',
      );
  command('status', 'show whether the services may serve this database')
    .option('--json', 'print JSON')
    .action(async (flags: Flags) => {
      const found = await readRestoreStatus(urlOf(flags));
      if (flags.json === true) return say(JSON.stringify(found));
      for (const { service, status, position } of found) say(`${service}: ${status}, at ${position} of the journal`);
    });
  command(
    'mark',
    'have the journal applied at the next start: for a restored copy of a disk or of a virtual machine',
  ).action(async (flags: Flags) => {
    await markRestored(urlOf(flags));
    say('At their next start, keys and tenancy apply the journal before they serve.');
  });
  command('accept-lost', 'serve a restored database although the journal of revocations and deletions is lost')
    .option(
      '--revoke-all-credentials',
      'first revoke every key, member, OAuth client, connected app, session and token',
    )
    .action(async (flags: Flags) => {
      const revoked = await acceptLostDecisions(urlOf(flags), { revokeAll: flags.revokeAllCredentials === true });
      if (flags.revokeAllCredentials === true) say(`Revoked ${revoked} credentials.`);
      say('What was revoked or deleted after the restored state is valid again, unless you end it again.');
    });
}
