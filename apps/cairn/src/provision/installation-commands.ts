import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { addRestoreCommands } from '../restore/restore-commands.ts';
import type { Environment } from '../up/service-variables.ts';
import { addEventCommands } from '../event-commands.ts';
import { migrateAll } from './migrate-all.ts';
import { provisionInstallation } from './provision.ts';

type Settings = Config & { environment: Environment };

interface ProvisionFlags {
  adminUrl?: string;
  out: string;
  database: string;
  natsUrl: string;
  mountedAt: string;
  rotatePasswords?: boolean;
  mtls?: boolean;
  rotateCertificates?: boolean;
  lockOut?: boolean;
  dropKeys?: string;
}

/** Commands for an installation on the operator's own servers; each start does the same for the embedded one. */
export function addInstallationCommands(operator: Command, settings: Settings, say: (line?: string) => void): void {
  operator
    .command('provision')
    .description('prepare PostgreSQL and write the keys, passwords and settings of every service; may be repeated')
    .option('--admin-url <url>', 'postgres:// URL of a superuser; not stored. Default: CAIRN_DATABASE_ADMIN_URL')
    .requiredOption('--out <folder>', 'folder that the secrets are written to and kept in')
    .option('--database <name>', 'created if it does not exist', 'cairn')
    .option(
      '--nats-url <url>',
      'where the services reach NATS, without user and password; nats://n1:4222,n2:4222 for a cluster',
      'nats://nats:4222',
    )
    .option('--mounted-at <path>', 'where each service finds its own folder', '/run/cairn')
    .option('--rotate-passwords', 'give every role of PostgreSQL and every user of NATS a new password')
    .option('--mtls', 'issue certificates for mutual TLS between the services, which repeated calls renew')
    .option('--rotate-certificates', 'issue every certificate again, by the next authority')
    .option('--lock-out', 'refuse every certificate from before the last rotation, or from before this one')
    .option('--drop-keys <id,…>', 'ids of keys that were taken out of operator/keys on purpose')
    .action(async (flags: ProvisionFlags) => {
      const { adminUrl = settings.databaseAdminUrl, out, database, natsUrl, mountedAt } = flags;
      if (adminUrl === undefined) throw new Error('Set --admin-url or CAIRN_DATABASE_ADMIN_URL.');
      const changes = {
        rotatePasswords: flags.rotatePasswords === true,
        mtls: flags.mtls === true,
        rotateCertificates: flags.rotateCertificates === true,
        lockOutCertificates: flags.lockOut === true,
        dropKeys: flags.dropKeys?.split(',').map((id) => id.trim()) ?? [],
      };
      const where = { adminUrl, folder: resolve(out), database, natsUrl, mountedAt };
      await provisionInstallation({ ...where, ...changes }, say);
    });
  addEventCommands(operator, settings, say);
  addRestoreCommands(operator, settings, say);
  operator
    .command('migrate')
    .description('bring every schema up to date; only this needs the URLs of the owners')
    .requiredOption('--owners <file>', 'migrations/owners.json, as provision wrote it')
    .action((options: { owners: string }) => migrateAll(resolve(options.owners), settings.environment, say));
}
