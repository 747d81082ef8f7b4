import dns from 'node:dns';

/**
 * For a process beside the containers of an installation (`node --import`): parts tell each other names that only the
 * containers' own network knows. A process that could not reach a gateway by its name would wait for its lease to end at
 * each revocation.
 */
const ADDRESSES = new Map(Object.entries(JSON.parse(process.env['CAIRN_TEST_CONTAINERS'] ?? '{}') as object));

const lookup = dns.promises.lookup;
// Only the gRPC client asks for such names, and in this way.
dns.promises.lookup = ((name: string, options: dns.LookupOptions) =>
  lookup((ADDRESSES.get(name) as string | undefined) ?? name, options)) as typeof lookup;
