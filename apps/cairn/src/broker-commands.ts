import { natsUserEntry } from '@cairn/embedded';
import { brokerPermissions, connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM } from '@cairn/events';
import type { Command } from 'commander';

type Say = (line?: string) => void;

/** For a NATS server of one's own; the embedded one is configured like this by every start. */
export function addBrokerCommands(program: Command, say: Say): void {
  const broker = program.command('broker').description('a NATS server of your own');
  broker
    .command('permissions')
    .description('print the users of the services for the configuration of nats-server, each with what it may do')
    .action(() => brokerUsers().forEach((line) => say(line)));
  broker
    .command('prepare')
    .description('create the streams, or bring them up to date; no service may')
    .requiredOption('--admin-url <url>', 'nats://user:password@host:port of a user who may do everything')
    .option('--replicas <count>', 'copies of the streams that a cluster keeps', '1')
    .action(async (options: { adminUrl: string; replicas: string }) => {
      await prepareBroker(options.adminUrl, Number(options.replicas));
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
  const bus = await connectEventBus({ url: adminUrl, name: 'cairn-prepare', replicas });
  await bus.close();
}
