import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLocalName } from './internal-names.ts';
import { OutboundError } from './outbound-error.ts';

/** Returns every address of a host name, at least one; throws `name_not_resolved`. */
export type ResolveName = (host: string) => Promise<string[]>;

const LOOKUP_TIMEOUT_MS = 2_000;
const LOOKUP_TRIES = 2;

/** What a name server says when it knows of no such name, or when there is none to ask. */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks name servers directly, because the system's resolver takes one of the few threads for as long as a dead
 * name server makes it wait. Only for a name they do not know is the system asked, which also reads its hosts file.
 * Callers who ask for one name at the same time share one question.
 */
export function nameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES });
  const asked = new Map<string, Promise<string[]>>();
  return (host) => {
    if (isIP(host) !== 0) return Promise.resolve([host]);
    if (isLocalName(host)) return Promise.resolve(['127.0.0.1', '::1']);
    let answer = asked.get(host);
    if (answer === undefined) {
      answer = resolveAll(resolver, host).finally(() => asked.delete(host));
      asked.set(host, answer);
    }
    return answer;
  };
}

async function resolveAll(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (!failures.every((failure) => UNKNOWN.has((failure as { code?: unknown }).code)))
    throw notResolved(host, failures[0]);
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw notResolved(host, error);
  }
}

function notResolved(host: string, cause: unknown): OutboundError {
  return new OutboundError('name_not_resolved', `the name ${host} could not be resolved`, cause);
}
