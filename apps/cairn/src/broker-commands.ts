import { natsUserEntry } from '@cairn/embedded';
import { brokerPermissions, connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM } from '@cairn/events';
import type { Command } from 'commander';
import type { Config } from './config.ts';

type Say = (line?: string) => void;

/** Commands for an operator's own NATS server; each start configures the embedded one in the same way. */
export function addBrokerCommands(operator: Command, settings: Pick<Config, 'natsAdminUrl'>, say: Say): void {
  const broker = operator.command('broker').description('set up your own NATS server');
  broker
    .command('permissions')
    .description('print the users of the services and their permissions for the configuration of nats-server')
    .action(() => brokerUsers().forEach((line) => say(line)));
  broker
    .command('prepare')
    .description('create or update the streams, which the services are not permitted to do')
    .option(
      '--admin-url <url>',
      'nats://user:password@host:port of a user with all permissions. Default: CAIRN_NATS_ADMIN_URL',
    )
    .option('--replicas <count>', 'number of stream replicas in a cluster', '1')
    .action(async (options: { adminUrl?: string; replicas: string }) => {
      const adminUrl = options.adminUrl ?? settings.natsAdminUrl;
      if (adminUrl === undefined) throw new Error('Set --admin-url or CAIRN_NATS_ADMIN_URL.');
      await prepareBroker(adminUrl, Number(options.replicas));
      say(`The streams ${EVENT_STREAM} and ${DEAD_LETTER_STREAM} are ready.`);
    });
}

function brokerUsers(): string[] {
  const entries = Object.entries(brokerPermissions()).map(([name, permissions]) =>
    natsUserEntry({ name, ...permissions }, `password of ${name}`),
  );
  return ['authorization {', '  users: [', ...entries.map((entry) => `    ${entry}`), '  ]', '}'];
}

/** Creates the streams that the services publish to and consume from. */
export async function prepareBroker(adminUrl: string, replicas = 1): Promise<void> {
  const bus = await connectEventBus({
    natsUrl: adminUrl,
    name: 'cairn-prepare',
    eventsReplicas: replicas,
  });
  await bus.close();
}
