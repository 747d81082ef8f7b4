import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateStore, IssuedCertificate } from '@cairn/certificates';
import { EVENT_SERVICES } from '@cairn/contracts';
import { installPgvector, provisionService, rolesWithOtherPasswords, type ServiceRoles } from '@cairn/postgres';
import type { CertificateHolder } from '@cairn/identity';
import { type KeyFiles, keyFilesIn, openKeyFiles, readJson, writePrivately } from '../data-folder.ts';
import { databasePasswords, newDatabasePasswords } from '../up/database-passwords.ts';
import { DATABASE_SERVICES, type DatabaseService } from '../up/engines.ts';
import { BROKER_ADMIN, brokerConfiguration, type BrokerPasswords, brokerPasswords } from './broker-file.ts';
import { assertNoKeyIsLost } from './lost-keys.ts';
import { readServerFacts, refusalOf } from './server-versions.ts';
import { environmentFile, writeCertificate, writeServiceFolder } from './service-folder.ts';

interface ProvisionInstallation {
  /** postgres:// URL of a superuser. */
  adminUrl: string;
  database: string;
  /** Where the services reach the broker, without a user; several servers are separated by commas. */
  natsUrl: string;
  /** Folder of the installation's secrets, with a subfolder for each component. */
  folder: string;
  /** Where a service finds its own folder. */
  mountedAt: string;
  /** Replaces the passwords of every role and every broker user, even those that another installation has set. */
  rotatePasswords: boolean;
  /** Issues certificates for mutual TLS; once issued they stay in use without it. */
  mtls: boolean;
  /** Certificates by the next authority for everybody. */
  rotateCertificates: boolean;
  /** Certificates from before the last rotation are accepted no more. */
  lockOutCertificates: boolean;
  /** Ids of keys that services' folders may lose. */
  dropKeys: readonly string[];
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
  assertBrokerUrls(options.natsUrl);
  const facts = await readServerFacts(adminUrl);
  const refusal = refusalOf(facts);
  if (refusal !== null) throw new Error(refusal);
  const operatorFolder = join(folder, 'operator');
  const keysFolder = join(operatorFolder, 'keys');
  await assertNoKeyIsLost(folder, keyFilesIn(keysFolder), options.dropKeys);
  const certificatesFile = join(keysFolder, 'certificates.json');
  if ((options.rotateCertificates || options.lockOutCertificates) && (await readJson(certificatesFile)) === null)
    throw new Error('There are no certificates yet; --mtls issues them. Nothing was changed.');
  await mkdir(operatorFolder, { recursive: true });
  const keys = await openKeyFiles(keysFolder);
  const roles = await provisionRoles(options, keys, say);
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
  const passwords = await brokerPasswords(join(keysFolder, 'broker-passwords.json'), options.rotatePasswords);
  const certificates = await certificatesOf(options, certificatesFile, say);
  await writeFolders(options, { keys, roles, passwords, certificates });
  if (options.rotatePasswords)
    say('All passwords are new: restart NATS with nats/nats.conf and every service with its folder now.');
  say(`Secrets and settings of every service are in ${folder}. Keep operator/ where only you can read it.`);
}

async function provisionRoles(
  { adminUrl, database, rotatePasswords }: ProvisionInstallation,
  keys: KeyFiles,
  say: (line: string) => void,
): Promise<Record<DatabaseService, ServiceRoles>> {
  const passwords = rotatePasswords
    ? await newDatabasePasswords(keys.databasePasswordsFile, DATABASE_SERVICES)
    : await databasePasswords(keys.databasePasswordsFile, DATABASE_SERVICES);
  if (!rotatePasswords) {
    const given = DATABASE_SERVICES.map((service) => ({ service, passwords: passwords[service] }));
    const foreign = await Promise.all(
      given.map((each) => rolesWithOtherPasswords({ superuserUrl: adminUrl, ...each })),
    );
    if (foreign.flat().length > 0) throw new Error(foreignRolesMessage(foreign.flat()));
  }
  const roles: Partial<Record<DatabaseService, ServiceRoles>> = {};
  let publicSchemaOpen = false;
  for (const service of DATABASE_SERVICES) {
    const provisioned = await provisionService({
      superuserUrl: adminUrl,
      database,
      service,
      passwords: passwords[service],
      replacePasswords: rotatePasswords,
    });
    roles[service] = provisioned.roles;
    publicSchemaOpen ||= provisioned.publicSchemaOpen;
  }
  if (publicSchemaOpen)
    say(
      `The database ${database} existed before, and every role of the server may use its schema public. If nothing else needs that, run there: REVOKE ALL ON SCHEMA public FROM PUBLIC;`,
    );
  return roles as Record<DatabaseService, ServiceRoles>;
}

function foreignRolesMessage(roles: readonly string[]): string {
  return [
    `These roles exist on the server, and their passwords are not those in operator/keys: ${roles.join(', ')}.`,
    'Roles belong to the whole server. If they are another installation’s, use another PostgreSQL server: an installation needs one of its own.',
    'If they belong to this installation and its folder was lost, --rotate-passwords sets new passwords. Nothing was changed on the server.',
  ].join('\n');
}

/** Everybody's certificate, or null when the parts speak without TLS. */
async function certificatesOf(
  { mtls, rotateCertificates, lockOutCertificates }: ProvisionInstallation,
  file: string,
  say: (line: string) => void,
): Promise<Record<string, IssuedCertificate> | null> {
  const known = await readJson<CertificateStore>(file);
  if (!mtls && known === null) return null;
  // Loaded on demand: the other commands do not pay for the library.
  const { issueCertificates } = await import('@cairn/certificates');
  const holders: CertificateHolder[] = [...DATABASE_SERVICES, 'gateway', 'operator'];
  const { store, certificates } = await issueCertificates(known, holders, {
    rotate: rotateCertificates,
    lockOut: lockOutCertificates,
  });
  await writePrivately(file, `${JSON.stringify(store, null, 2)}\n`);
  say(
    rotateCertificates
      ? 'Mutual TLS: every certificate is new. Wait until all services have read theirs before you rotate again.'
      : 'Mutual TLS: every service has a certificate.',
  );
  if (lockOutCertificates)
    say(
      'Services that have reloaded the files reject certificates issued before the rotation. Restart every service: open connections stay open until then.',
    );
  return certificates;
}

async function writeFolders(
  { folder, mountedAt, natsUrl }: ProvisionInstallation,
  made: {
    keys: KeyFiles;
    roles: Record<DatabaseService, ServiceRoles>;
    passwords: BrokerPasswords;
    certificates: Record<string, IssuedCertificate> | null;
  },
): Promise<void> {
  const { keys, roles, passwords, certificates } = made;
  const certificateOf = (holder: CertificateHolder) =>
    certificates === null ? {} : { certificate: certificates[holder]! };
  for (const service of DATABASE_SERVICES) {
    const { url, workerUrl } = roles[service];
    const natsUser = EVENT_SERVICES.find((name) => name === service);
    const secrets = {
      database: { url, workerUrl },
      ...(natsUser === undefined ? {} : { natsUrl: withUser(natsUrl, natsUser, passwords[natsUser]!) }),
      ...certificateOf(service),
    };
    await writeServiceFolder(join(folder, service), service, keys, secrets, mountedAt);
  }
  await writeServiceFolder(join(folder, 'gateway'), 'gateway', keys, certificateOf('gateway'), mountedAt);
  await mkdir(join(folder, 'nats'), { recursive: true });
  await writePrivately(join(folder, 'nats', 'nats.conf'), brokerConfiguration(passwords));
  const owners = Object.fromEntries(DATABASE_SERVICES.map((service) => [service, roles[service].ownerUrl]));
  await mkdir(join(folder, 'migrations'), { recursive: true });
  await writePrivately(join(folder, 'migrations', 'owners.json'), `${JSON.stringify(owners, null, 2)}\n`);
  const operatorFolder = join(folder, 'operator');
  const tls = certificates?.['operator'];
  const operator = {
    CAIRN_OPERATOR_KEY_FILE: keys.signingKeyFile('operator'),
    CAIRN_NATS_ADMIN_URL: withUser(natsUrl, BROKER_ADMIN, passwords[BROKER_ADMIN]!),
    ...(tls === undefined ? {} : await writeCertificate(operatorFolder, tls, operatorFolder)),
  };
  await writePrivately(join(operatorFolder, 'operator.env'), environmentFile(operator));
}

const BROKER_SCHEMES = ['nats:', 'tls:'];

/** Throws unless it is the URL of a broker, or of several: each as it is, or without the scheme after the first one. */
function assertBrokerUrls(urls: string): void {
  const [first = '', ...others] = urls.split(',').map((text) => text.trim());
  const each = [first, ...others.map((text) => (text.includes('://') ? text : `nats://${text}`))];
  const isBroker = (text: string) =>
    URL.canParse(text) && BROKER_SCHEMES.includes(new URL(text).protocol) && new URL(text).hostname !== '';
  if (!each.every(isBroker))
    throw new Error(
      '--nats-url is not valid; it is written nats://host:4222 or tls://host:4222, with several servers separated by commas. Nothing was changed.',
    );
}

/** The same servers with the user, who is named in the first one only, as NATS_URL takes it. */
function withUser(urls: string, user: string, password: string): string {
  const [first = '', ...others] = urls.split(',').map((text) => text.trim());
  const url = new URL(first);
  url.username = user;
  url.password = password;
  return [url.href, ...others].join(',');
}
