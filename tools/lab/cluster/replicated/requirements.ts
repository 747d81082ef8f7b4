import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of the machine itself. */
const PROGRAMS = ['unshare', 'setpriv', 'nsenter', 'chroot', 'mount', 'ip', 'nft', 'mkfs.ext4', 'python3'];
/** Programs of the servers, by where Debian puts them; looked for below the root that CAIRN_CLUSTER_ROOT names. */
const SERVERS = [
  '/usr/lib/postgresql/17/bin/postgres',
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/nats-server',
  '/usr/sbin/haproxy',
];
const PLACES = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const MAKE_ROOT =
  'mmdebstrap --mode=root --variant=apt --include=postgresql-17,postgresql-17-pgvector,patroni,python3-etcd,etcd-server,nats-server,haproxy trixie DIR';

/**
 * What a machine lacks to run the replicated cluster, a sentence each; empty when it has everything. `root` is the
 * folder of a Debian with the servers, "/" for the machine's own.
 */
export function missingRequirements(root: string): string[] {
  const missing: string[] = [];
  if (process.platform !== 'linux') return ['Network namespaces are needed, so it runs on Linux only.'];
  if (process.getuid?.() !== 0) missing.push('It makes network namespaces and mounts, so it must be run as root.');
  const places = [...(process.env['PATH'] ?? '').split(delimiter), ...PLACES];
  for (const program of PROGRAMS)
    if (!places.some((place) => existsSync(join(place, program)))) missing.push(`${program} is not installed.`);
  for (const file of ['/dev/net/tun', '/dev/loop-control'])
    if (!existsSync(file)) missing.push(`${file} is not there: the kernel has no such devices.`);
  const servers = SERVERS.filter((path) => !existsSync(join(root, path)));
  if (servers.length > 0)
    missing.push(
      `${servers.map((path) => join(root, path)).join(', ')} ${servers.length === 1 ? 'is' : 'are'} not there. Make a Debian with the servers, \`${MAKE_ROOT}\`, and name its folder in CAIRN_CLUSTER_ROOT.`,
    );
  return missing;
}
