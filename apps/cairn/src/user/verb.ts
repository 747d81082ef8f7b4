import { UsageError } from './failures.ts';
import type { Session } from './session.ts';

/** What the options of one verb were given, by their names in camel case. */
export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** One thing that a user can have done. What needs more than the client is imported when it is run. */
export interface Verb {
  /** `documents list` */
  name: string;
  about: string;
  /** As commander writes them: `<doc_id>`, `[words...]`. */
  args?: string;
  /** Flags and what they mean. */
  options?: readonly (readonly [flags: string, about: string])[];
  /** Flags that are not known belong to the operation that is called. */
  passesFlags?: boolean;
  /** The exit code, where it is not 0. */
  run(session: Session, args: string[], options: Options): Promise<number | void>;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;

export const LIMIT = ['--limit <count>', `rows at most. Default: ${LIMIT_DEFAULT}`] as const;

/** The rows of a list up to the limit. That there are more is said, too. */
export async function firstRows<T>(
  session: Session,
  pages: { all(limit?: number): Promise<T[]> },
  options: Options,
): Promise<T[]> {
  const limit = limitOf(options);
  const rows = await pages.all(limit + 1);
  if (rows.length > limit) session.say(`There are more than these ${limit}; --limit shows more.`);
  return rows.slice(0, limit);
}

function limitOf({ limit }: Options): number {
  const count = limit === undefined ? LIMIT_DEFAULT : Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > LIMIT_MAX)
    throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`);
  return count;
}

/** The option's text, where it was given. */
export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** One of the values that the option may have. */
export function oneOf<T extends string>(values: readonly T[], given: string | undefined, what: string): T | undefined {
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`${what} must be one of ${values.join(', ')}.`);
  return found;
}

/** Fields without those that were not given. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
