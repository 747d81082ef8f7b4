import type { Command } from 'commander';
import type { Operator, OperatorFlags, OperatorService } from './operator.ts';

/** Runs work as the operator of the installation that the flags of a command name. */
export type AsOperator = (flags: OperatorFlags, work: (operator: Operator) => Promise<void>) => Promise<void>;

/** Adds to the commands of a group the options by which they find an installation, and no address they do not call. */
export function addInstallationOptions(
  group: Command,
  servicesOf: (command: string) => readonly OperatorService[],
): void {
  for (const command of group.commands) {
    const services = servicesOf(command.name());
    command.option(
      '--operator-key <file>',
      "the operator's signing key. Default: CAIRN_OPERATOR_KEY_FILE, or npm start's",
    );
    for (const service of services)
      command.option(
        `--${service} <host:port>`,
        `gRPC address of ${service}, with --operator-key. Default: CAIRN_${service.toUpperCase()}_GRPC`,
      );
  }
}
