import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { COMMON_OPTIONS } from './common-options.ts';
import { EXIT, exitCodeOf, wordsOf } from './failures.ts';
import { placesOf, type Variables } from './places.ts';
import { printable } from './printable.ts';
import { type CommonFlags, openSession, type Streams } from './session.ts';
import type { Options, Verb } from './verb.ts';
import { GROUPS, INSTALLATION_COMMANDS, VERBS } from './verbs.ts';

/** Runs one command for users and returns the exit code. */
export async function runUserLine(argv: readonly string[], environment: Variables, streams: Streams): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = new Command('cairn')
    .description('Cairn: memory, search and research for a whole organisation.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
    })
    .showSuggestionAfterError()
    .addHelpText('after', `\nExit codes: 0 done, 1 failed, 2 usage, 3 credential, 4 not found, 5 limit.`);
  const run = (verb: Verb) =>
    async function action(this: Command, ...given: unknown[]) {
      const words = (verb.passesFlags === true ? this.args : given.slice(0, -2).flat()).filter(
        (word): word is string => typeof word === 'string',
      );
      const options = this.opts<CommonFlags & Options>();
      const session = openSession(options, placesOf(environment), environment, streams);
      exitCode = (await verb.run(session, words, options)) ?? EXIT.done;
    };
  addUserCommands(program, run);
  for (const [name, about] of Object.entries(INSTALLATION_COMMANDS)) program.command(name).description(about);
  const onlyNames = argv.length === 0 || (argv.length === 1 && Object.hasOwn(GROUPS, argv[0]!));
  try {
    await program.parseAsync([...argv, ...(onlyNames ? ['--help'] : [])], { from: 'user' });
    return exitCode;
  } catch (error) {
    // It has said so itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    streams.stderr.write(`cairn: ${printable(wordsOf(error))}\n`);
    return exitCodeOf(error);
  }
}

/** Declares the commands for users below the program. */
export function addUserCommands(
  program: Command,
  run: (verb: Verb) => (this: Command, ...given: unknown[]) => Promise<void>,
): void {
  const groups = new Map(
    Object.entries(GROUPS).map(([name, about]) => [name, program.command(name).description(about)]),
  );
  for (const verb of VERBS) {
    const [first, second] = verb.name.split(' ') as [string, string?];
    const parent = second === undefined ? program : groups.get(first)!;
    const command = parent.command(second ?? first).description(verb.about);
    if (verb.args !== undefined) command.arguments(verb.args);
    if (verb.passesFlags === true) command.allowUnknownOption();
    for (const [flags, about] of [...(verb.options ?? []), ...COMMON_OPTIONS]) command.option(flags, about);
    command.action(run(verb));
  }
}
