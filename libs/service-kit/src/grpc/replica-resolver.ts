import { isIP } from 'node:net';
import grpc from '@grpc/grpc-js';
import { type HostPort, hostPorts, type LookupHost, lookupHost, watchAddresses } from './replica-addresses.ts';

const { registerResolver, statusOrFromError, statusOrFromValue } = grpc.experimental;
type ResolverClass = Parameters<typeof registerResolver>[1];
type Listener = ConstructorParameters<ResolverClass>[1];

/** Registers a resolver of grpc-js for targets `scheme:h1:7000,h2:7000`, whose calls go to all addresses of all hosts. */
export function registerReplicaResolver(scheme: string, lookupOf: LookupHost = lookupHost): void {
  registerResolver(
    scheme,
    class implements InstanceType<ResolverClass> {
      static getDefaultAuthority({ path }: { path: string }) {
        const [first] = hostPorts(path);
        const { host, port } = first!;
        return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
      }

      private readonly path: string;
      private readonly listener: Listener;
      private watch: ReturnType<typeof watchAddresses> | null = null;

      constructor({ path }: { path: string }, listener: Listener) {
        this.path = path;
        this.listener = listener;
      }

      updateResolution() {
        this.watch ??= watchAddresses(hostPorts(this.path), lookupOf, (addresses, failure) =>
          this.listener(resultOf(addresses, failure), {}, null, ''),
        );
        this.watch.refresh();
      }

      destroy() {
        this.watch?.close();
        this.watch = null;
      }
    },
  );
}

function resultOf(addresses: readonly HostPort[], failure: unknown): Parameters<Listener>[0] {
  return addresses.length === 0
    ? statusOrFromError({ code: grpc.status.UNAVAILABLE, details: `no address was found: ${String(failure)}` })
    : statusOrFromValue(addresses.map((address) => ({ addresses: [address] })));
}
