import { runningNatsUrl, runningPostgresUrl } from '@cairn/embedded';
import { type Addresses, dataFolderIn, readJson } from '../data-folder.ts';
import { type Operator, operatorOf } from '../operator.ts';
import type { Settings } from '../settings.ts';
import { checkBroker } from './check-broker.ts';
import { checkDatabase } from './check-database.ts';
import { checkGateway } from './check-gateway.ts';
import { checkDisk, checkNode, checkVariables } from './check-machine.ts';
import { failed, type Finding, messageOf, ok, skipped } from './finding.ts';

/** Where the parts of an installation are; undefined for what nobody has named. */
interface Places {
  baseUrl: string | undefined;
  /** Of the database of the services, as a superuser. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  /** The folder of the embedded installation. */
  dataDir: string | undefined;
}

export interface DoctorOptions {
  adminUrl?: string;
  natsAdminUrl?: string;
  baseUrl?: string;
}

const DATABASE = 'cairn';

/** Looks at an installation, the embedded one or another, and reports what it finds; it changes nothing. */
export async function examine(settings: Settings, options: DoctorOptions): Promise<Finding[]> {
  const machine = [checkNode(), checkVariables(settings.environment)];
  const places = isElsewhere(settings, options) ? placesElsewhere(settings, options) : await embeddedPlaces(settings);
  if (places === null) {
    const message = `No installation runs on ${settings.dataDir}.`;
    const action = 'Run “npm start”, or name an installation with CAIRN_BASE_URL, --admin-url and --nats-admin-url.';
    return [...machine, failed('installation', message, action)];
  }
  const { baseUrl, databaseUrl, natsUrl, dataDir } = places;
  const groups = await Promise.all([
    dataDir === undefined ? [] : [await checkDisk(dataDir)],
    baseUrl === undefined
      ? [skipped('gateway', 'Its address is not known.', 'Set CAIRN_BASE_URL or --base-url.')]
      : checkGateway(baseUrl),
    checkOperator(settings, dataDir !== undefined),
    databaseUrl === undefined
      ? [skipped('database', 'Not looked at.', 'Set CAIRN_DATABASE_ADMIN_URL or --admin-url.')]
      : checkDatabase(databaseUrl),
    natsUrl === undefined
      ? [skipped('broker', 'Not looked at.', 'Set CAIRN_NATS_ADMIN_URL or --nats-admin-url.')]
      : checkBroker(natsUrl),
  ]);
  return [...machine, ...groups.flat()];
}

function isElsewhere(settings: Settings, options: DoctorOptions): boolean {
  const { baseUrl, operatorKeyFile, databaseAdminUrl, natsAdminUrl } = settings;
  const named = [baseUrl, operatorKeyFile, databaseAdminUrl, natsAdminUrl, ...Object.values(options)];
  return named.some((each) => each !== undefined && each !== true);
}

function placesElsewhere(settings: Settings, options: DoctorOptions): Places {
  return {
    baseUrl: options.baseUrl ?? settings.baseUrl,
    databaseUrl: options.adminUrl ?? settings.databaseAdminUrl,
    natsUrl: options.natsAdminUrl ?? settings.natsAdminUrl,
    dataDir: undefined,
  };
}

/** Null when it does not run. */
async function embeddedPlaces(settings: Settings): Promise<Places | null> {
  const folder = dataFolderIn(settings.dataDir);
  const addresses = await readJson<Addresses>(folder.addressesFile);
  if (addresses === null) return null;
  // The addresses outlive a power loss, the servers do not.
  const [postgresUrl, natsUrl] = await Promise.all([
    runningPostgresUrl(folder.postgres),
    settings.natsUrl ?? runningNatsUrl(folder.nats),
  ]);
  if (postgresUrl === null || natsUrl === null) return null;
  const database = new URL(postgresUrl);
  database.pathname = `/${DATABASE}`;
  return {
    baseUrl: addresses.gateway,
    databaseUrl: database.href,
    natsUrl,
    dataDir: settings.dataDir,
  };
}

/** Whether the operator's key is accepted by the services that take operator commands. */
async function checkOperator(settings: Settings, isEmbedded: boolean): Promise<Finding[]> {
  if (!isEmbedded && settings.operatorKeyFile === undefined)
    return [skipped('operator key', 'Not tried.', 'Set CAIRN_OPERATOR_KEY_FILE and the four addresses.')];
  let operator: Operator | null = null;
  try {
    operator = await operatorOf(settings);
    const { engines } = await operator.tenancy.listEngines({});
    const draining = engines.filter(({ status }) => status !== 'active');
    const engineText = `engines: ${engines.length}, of which not active: ${draining.length}`;
    await operator.usage.listUnpriced({});
    return [ok('operator key', `Tenancy and usage accept it; ${engineText}.`)];
  } catch (error) {
    const action = 'Check the addresses, and that the public half of the key is in CAIRN_JWKS_FILE of the services.';
    return [failed('operator key', messageOf(error), action)];
  } finally {
    operator?.close();
  }
}
