import { INSTALLATION_COMMANDS } from './user/verbs.ts';
import type { Streams } from './user/session.ts';
import type { Variables } from './user/places.ts';

/** Former names of commands, which keep working. */
const FORMER: ReadonlyMap<string, readonly string[]> = new Map([
  ['tenant', ['operator', 'tenant']],
  ['engine', ['operator', 'engine']],
  ['secrets', ['operator', 'secrets']],
  ['broker', ['operator', 'broker']],
  ['ingest', ['add']],
]);
/** The others of `usage` are for users. */
const OPERATOR_USAGE: ReadonlySet<string> = new Set(['rebuild', 'unpriced']);

/** Runs one command and returns the exit code. What commands for operators load would slow down those for users. */
export async function runCommandLine(
  argv: readonly string[],
  environment: Variables,
  streams: Streams,
): Promise<number> {
  const words = renamed(argv, (line) => void streams.stderr.write(`${line}\n`));
  if (words[0] !== undefined && Object.hasOwn(INSTALLATION_COMMANDS, words[0])) {
    const { runInstallationLine } = await import('./installation-line.ts');
    return runInstallationLine(words, environment);
  }
  const { runUserLine } = await import('./user/user-line.ts');
  return runUserLine(words, environment, streams);
}

/** The command by its present name; a former one is said on the way. */
export function renamed(argv: readonly string[], say: (line: string) => void): string[] {
  const [first = '', second = '', ...rest] = argv;
  // `cairn help operator` is `cairn operator --help`.
  if (first === 'help' && Object.hasOwn(INSTALLATION_COMMANDS, second)) return [second, ...rest, '--help'];
  const isOperatorUsage = first === 'usage' && OPERATOR_USAGE.has(second);
  const present = isOperatorUsage ? ['operator', 'usage'] : FORMER.get(first);
  if (present === undefined) return [...argv];
  say(`cairn: “cairn ${first}” is called “cairn ${present.join(' ')}” now.`);
  return [...present, ...argv.slice(1)];
}
