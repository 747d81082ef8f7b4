import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_SERVICES } from '@cairn/contracts';
import { provisionService, type ServiceRoles } from '@cairn/postgres';
import { type KeyFiles, openKeyFiles, writePrivately } from '../data-folder.ts';
import { databasePasswords } from '../up/database-passwords.ts';
import { DATABASE_SERVICES, type DatabaseService } from '../up/engines.ts';
import { BROKER_ADMIN, brokerConfiguration, type BrokerPasswords, brokerPasswords } from './broker-file.ts';
import { installPgvector, readServerFacts, refusalOf } from './server-versions.ts';
import { environmentFile, writeServiceFolder } from './service-folder.ts';

interface ProvisionInstallation {
  /** postgres:// URL of a superuser. */
  adminUrl: string;
  database: string;
  /** Where the services reach the broker, without a user. */
  natsUrl: string;
  /** Folder of the installation's secrets, with a subfolder for each component. */
  folder: string;
  /** Where a service finds its own folder. */
  mountedAt: string;
}

/**
 * Prepares PostgreSQL for all services and writes what each needs to start. Repeating it keeps every key and password
 * that is in the folder, and brings roles and files in line with them.
 */
export async function provisionInstallation(
  options: ProvisionInstallation,
  say: (line: string) => void,
): Promise<void> {
  const { adminUrl, folder, database } = options;
  const facts = await readServerFacts(adminUrl);
  const refusal = refusalOf(facts);
  if (refusal !== null) throw new Error(refusal);
  const operatorFolder = join(folder, 'operator');
  await mkdir(operatorFolder, { recursive: true });
  const keys = await openKeyFiles(join(operatorFolder, 'keys'));
  const roles = await provisionRoles(options, keys);
  say(
    `PostgreSQL ${facts.version}: database ${database} with a schema and three roles for each of ${DATABASE_SERVICES.join(', ')}.`,
  );
  if (facts.pgvector === null) say('pgvector is not installed on the server: vectors are compared one by one.');
  else {
    const target = new URL(adminUrl);
    target.pathname = `/${database}`;
    await installPgvector(target.href, 'memory');
    say(`pgvector ${facts.pgvector}: available to memory.`);
  }
  const passwords = await brokerPasswords(join(operatorFolder, 'keys', 'broker-passwords.json'));
  await writeFolders(options, keys, roles, passwords);
  say(`Secrets and settings of every service are in ${folder}. Keep operator/ where only you can read it.`);
}

async function provisionRoles(
  { adminUrl, database }: ProvisionInstallation,
  keys: KeyFiles,
): Promise<Record<DatabaseService, ServiceRoles>> {
  const passwords = await databasePasswords(keys.databasePasswordsFile, DATABASE_SERVICES);
  const roles: Partial<Record<DatabaseService, ServiceRoles>> = {};
  for (const service of DATABASE_SERVICES)
    roles[service] = await provisionService({
      superuserUrl: adminUrl,
      database,
      service,
      passwords: passwords[service],
    });
  return roles as Record<DatabaseService, ServiceRoles>;
}

async function writeFolders(
  { folder, mountedAt, natsUrl }: ProvisionInstallation,
  keys: KeyFiles,
  roles: Record<DatabaseService, ServiceRoles>,
  passwords: BrokerPasswords,
): Promise<void> {
  for (const service of DATABASE_SERVICES) {
    const { url, workerUrl } = roles[service];
    const natsUser = EVENT_SERVICES.find((name) => name === service);
    const secrets = {
      database: { url, workerUrl },
      ...(natsUser === undefined ? {} : { natsUrl: withUser(natsUrl, natsUser, passwords[natsUser]!) }),
    };
    await writeServiceFolder(join(folder, service), service, keys, secrets, mountedAt);
  }
  await writeServiceFolder(join(folder, 'gateway'), 'gateway', keys, {}, mountedAt);
  await mkdir(join(folder, 'nats'), { recursive: true });
  await writePrivately(join(folder, 'nats', 'nats.conf'), brokerConfiguration(passwords));
  const owners = Object.fromEntries(DATABASE_SERVICES.map((service) => [service, roles[service].ownerUrl]));
  await mkdir(join(folder, 'migrations'), { recursive: true });
  await writePrivately(join(folder, 'migrations', 'owners.json'), `${JSON.stringify(owners, null, 2)}\n`);
  const operator = {
    CAIRN_OPERATOR_KEY_FILE: keys.signingKeyFile('operator'),
    CAIRN_NATS_ADMIN_URL: withUser(natsUrl, BROKER_ADMIN, passwords[BROKER_ADMIN]!),
  };
  await writePrivately(join(folder, 'operator', 'operator.env'), environmentFile(operator));
}

/** The same servers, each with the user. */
function withUser(urls: string, user: string, password: string): string {
  const each = urls.split(',').map((text) => {
    const url = new URL(text.trim());
    url.username = user;
    url.password = password;
    return url.href;
  });
  return each.join(',');
}
