import type { DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import grpc from '@grpc/grpc-js';
import { channelOptionsFor, type InternalTls } from '../identity/internal-tls.ts';
import { hostPorts } from './replica-addresses.ts';
import { registerReplicaResolver } from './replica-resolver.ts';

const SCHEME = 'cairn-replicas';
registerReplicaResolver(SCHEME);

const CONNECTION_OPTIONS: grpc.ChannelOptions = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 400,
  // A replica that vanished without a word is noticed after ten seconds at most.
  'grpc.keepalive_time_ms': 5_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // A channel that replaces a stuck one must not share its connections.
  'grpc.use_local_subchannel_pool': 1,
};
const TRIES_MAX = 3;

/**
 * One channel to all replicas of a service. `target` is `host:port`, several of them separated by commas, or
 * `dns:///name:port`; every name stands for all of its addresses. Calls go round-robin over the replicas that answer.
 * A call that no replica has seen is sent to another one; one that a dying replica may have seen is repeated only if its
 * method has no side effects. With `tls`, every replica must hold the certificate of `peer`, the part that serves it.
 */
export function openChannel(service: DescService, target: string, tls: InternalTls | null, peer: string): grpc.Client {
  hostPorts(target);
  return new grpc.Client(
    `${SCHEME}:${target.replace(/^dns:\/\/\//, '')}`,
    tls?.channelCredentials() ?? grpc.credentials.createInsecure(),
    {
      ...CONNECTION_OPTIONS,
      ...(tls === null ? {} : channelOptionsFor(peer)),
      'grpc.service_config': JSON.stringify({
        loadBalancingConfig: [{ round_robin: {} }],
        methodConfig: [{ name: repeatableMethods(service), retryPolicy: RETRY_POLICY }].filter(
          ({ name }) => name.length > 0,
        ),
      }),
    },
  );
}

const RETRY_POLICY = {
  maxAttempts: TRIES_MAX,
  initialBackoff: '0.05s',
  maxBackoff: '0.5s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE'],
};

function repeatableMethods(service: DescService): { service: string; method: string }[] {
  return service.methods
    .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    .map(({ name }) => ({ service: service.typeName, method: name }));
}
