import type { DescMethodUnary, DescService, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CairnError } from '@cairn/errors';
import { IDENTITY_HEADER, type TokenVerifier, type VerifiedCaller } from '@cairn/identity';
import grpc from '@grpc/grpc-js';
import type { ListenAddress } from './config.ts';
import { toGrpcStatus } from './grpc-status.ts';
import type { Running } from './lifecycle.ts';
import type { Logger } from './logging.ts';

export interface RpcContext {
  caller: VerifiedCaller;
  signal: AbortSignal;
}

type UnaryHandler<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageShape<I>, context: RpcContext) => Promise<MessageInitShape<O>>
    : never;

/** One function per method of the service. */
export type ServiceHandlers<S extends DescService> = { [Name in keyof S['method']]: UnaryHandler<S['method'][Name]> };

export interface BoundService {
  service: DescService;
  handlers: Record<string, (request: never, context: RpcContext) => Promise<unknown>>;
}

export function rpc<S extends DescService>(service: S, handlers: ServiceHandlers<S>): BoundService {
  return { service, handlers: handlers as never };
}

/** Refuses every caller but the named part of the system. */
export function requireService(context: RpcContext, service: string): void {
  if (context.caller.kind !== 'service' || context.caller.service.service !== service) {
    throw new CairnError('permission_denied', `Only the ${service} may call this.`);
  }
}

const MESSAGE_MAX_BYTES = 4 * 1_048_576;
const DRAIN_TIMEOUT_MS = 5_000;

/** Starts a gRPC server. Every call needs a token that `verifier` accepts; without one it is UNAUTHENTICATED. */
export async function listenGrpc(
  services: readonly BoundService[],
  address: ListenAddress,
  verifier: TokenVerifier,
  logger: Logger,
): Promise<Running & { address: string }> {
  const server = new grpc.Server({ 'grpc.max_receive_message_length': MESSAGE_MAX_BYTES });
  for (const { service, handlers } of services) {
    const definition: Record<string, grpc.MethodDefinition<Message, Message>> = {};
    const implementation: Record<string, grpc.handleUnaryCall<Message, Message>> = {};
    for (const method of service.methods) {
      definition[method.localName] = methodDefinition(service, method as DescMethodUnary);
      implementation[method.localName] = unary(
        method as DescMethodUnary,
        handlers[method.localName]!,
        verifier,
        logger,
      );
    }
    server.addService(definition, implementation);
  }
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${address.port}`, grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.forceShutdown(), DRAIN_TIMEOUT_MS);
        server.tryShutdown(() => {
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}

/** How grpc-js names and (de)serialises a protobuf-es method. */
export function methodDefinition(
  service: DescService,
  method: DescMethodUnary,
): grpc.MethodDefinition<Message, Message> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (message) => Buffer.from(toBinary(method.input, message)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => Buffer.from(toBinary(method.output, message)),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

function unary(
  method: DescMethodUnary,
  handler: (request: never, context: RpcContext) => Promise<unknown>,
  verifier: TokenVerifier,
  logger: Logger,
): grpc.handleUnaryCall<Message, Message> {
  return (call, callback) => {
    const aborted = new AbortController();
    call.on('cancelled', () => aborted.abort());
    const run = async () => {
      const caller = await verifier.verify(call.metadata.get(IDENTITY_HEADER)[0]?.toString());
      if (caller === null) throw new CairnError('identity_invalid', 'The call carries no valid identity.');
      return handler(call.request as never, { caller, signal: aborted.signal });
    };
    run().then(
      (answer) => callback(null, create(method.output, answer as MessageInitShape<typeof method.output>)),
      (error: unknown) => {
        const status = toGrpcStatus(error);
        if (status.code === grpc.status.INTERNAL) logger.error({ err: error, method: method.name }, 'call failed');
        callback(status);
      },
    );
  };
}
