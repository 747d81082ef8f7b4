import type { DescMethodUnary, DescService, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { IDENTITY_HEADER, ON_BEHALF_OF_HEADER, type ServiceTokenSource } from '@cairn/identity';
import grpc from '@grpc/grpc-js';
import { openChannel } from './grpc-channel.ts';
import { methodDefinition } from './grpc-server.ts';
import { observeClientCall } from './observe-rpc.ts';
import { fromGrpcError } from './grpc-status.ts';
import type { InternalTls } from '../identity/internal-tls.ts';
import { afterRunning } from './running-time.ts';

export interface RpcOptions {
  /** Identity token of the caller in whose name the service calls, as the service itself was sent it. */
  onBehalfOf?: string;
  signal?: AbortSignal;
  /** Time in which this process runs: while its event loop stands still, no answer can be read. */
  timeoutMs?: number;
}

type UnaryCall<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageInitShape<I>, options?: RpcOptions) => Promise<MessageShape<O>>
    : never;

export type RpcClient<S extends DescService> = { [Name in keyof S['method']]: UnaryCall<S['method'][Name]> } & {
  close(): void;
};

const CALL_TIMEOUT_MS = 5_000;
/** After its time a call is cancelled by the caller; the peer gives up by itself only when that has not come for so long. */
const STALL_MAX_MS = 30_000;
/** Long enough for the next try to connect. */
const RECONNECT_WAIT_MS = 600;

/**
 * A typed client over one channel; `address` is as `openChannel` takes it. Each call carries the service's own token,
 * made for the method. With `tls`, the peer must hold the certificate of the part `peer`; it need not be named unless
 * several parts serve the same. Failures are CairnErrors: the peer's own code, or `unavailable`.
 */
export function rpcClient<S extends DescService>(
  service: S,
  address: string,
  serviceToken: ServiceTokenSource,
  tls: InternalTls | null = null,
  peer: string = partOf(service),
): RpcClient<S> {
  let channel = openChannel(service, address, tls, peer);
  let isClosed = false;
  // A connection that the peer never answers is awaited for ever by grpc-js, and with it every call of the channel.
  const replaceIfStuck = (used: grpc.Client) => {
    if (isClosed || used !== channel || !isConnecting(used)) return;
    channel = openChannel(service, address, tls, peer);
    used.close();
  };
  const client: Record<string, unknown> = {
    close: () => {
      isClosed = true;
      channel.close();
    },
  };
  for (const method of service.methods as DescMethodUnary[]) {
    const definition = methodDefinition(service, method);
    client[method.localName] = async (request: MessageInitShape<typeof method.input>, options: RpcOptions = {}) => {
      options.signal?.throwIfAborted();
      const metadata = new grpc.Metadata();
      return observeClientCall(definition.path, metadata, async () => {
        const used = channel;
        await reconnected(used);
        metadata.set(IDENTITY_HEADER, await serviceToken(definition.path));
        if (options.onBehalfOf !== undefined) metadata.set(ON_BEHALF_OF_HEADER, options.onBehalfOf);
        return call(used, definition, create(method.input, request), metadata, options, replaceIfStuck);
      });
    };
  }
  return client as RpcClient<S>;
}

/** The part that serves a protobuf package such as `cairn.keys.v1`. */
function partOf(service: DescService): string {
  return service.typeName.split('.')[1] ?? '';
}

/** True while the channel has no replica to call and none of its tries to connect has failed. */
function isConnecting(channel: grpc.Client): boolean {
  const state = channel.getChannel().getConnectivityState(false);
  return state === grpc.connectivityState.CONNECTING || state === grpc.connectivityState.IDLE;
}

/**
 * Between two tries to connect a call would fail at once, though the peer may have come up a moment ago: it waits for
 * the next try, and no longer.
 */
function reconnected(channel: grpc.Client): Promise<void> {
  const state = channel.getChannel().getConnectivityState(false);
  if (state !== grpc.connectivityState.TRANSIENT_FAILURE) return Promise.resolve();
  return new Promise((resolve) => channel.waitForReady(Date.now() + RECONNECT_WAIT_MS, () => resolve()));
}

function call(
  channel: grpc.Client,
  definition: grpc.MethodDefinition<Message, Message>,
  request: Message,
  metadata: grpc.Metadata,
  options: RpcOptions,
  timedOut: (channel: grpc.Client) => void,
) {
  return new Promise<Message>((resolve, reject) => {
    options.signal?.throwIfAborted();
    const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    let isLate = false;
    const active = channel.makeUnaryRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      request,
      metadata,
      { deadline: Date.now() + timeoutMs + STALL_MAX_MS },
      (error, answer) => {
        stopTimer();
        options.signal?.removeEventListener('abort', cancel);
        if (error === null) return resolve(answer!);
        if (isLate || error.code === grpc.status.DEADLINE_EXCEEDED) {
          timedOut(channel);
          return reject(fromGrpcError(isLate ? deadlineExceeded(timeoutMs) : error));
        }
        // Who gave up knows why; the peer only sees a call that was cancelled.
        const gaveUp = error.code === grpc.status.CANCELLED && options.signal?.aborted === true;
        reject(gaveUp ? options.signal!.reason : fromGrpcError(error));
      },
    );
    const cancel = () => active.cancel();
    const stopTimer = afterRunning(timeoutMs, () => {
      isLate = true;
      active.cancel();
    });
    options.signal?.addEventListener('abort', cancel, { once: true });
  });
}

function deadlineExceeded(timeoutMs: number) {
  return { code: grpc.status.DEADLINE_EXCEEDED, details: `no answer within ${timeoutMs} ms` };
}
