import type { DescMethodUnary, DescService, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { CairnError } from '@cairn/errors';
import { IDENTITY_HEADER, ON_BEHALF_OF_HEADER, type TokenVerifier, type VerifiedCaller } from '@cairn/identity';
import grpc from '@grpc/grpc-js';
import type { ListenAddress } from '../config/config.ts';
import { observeServerCall } from './observe-rpc.ts';
import { toGrpcStatus } from './grpc-status.ts';
import { identityDenied } from '../identity/identity-denied.ts';
import { type InternalTls, isCertificateOf } from '../identity/internal-tls.ts';
import type { Running } from '../running.ts';
import type { Logger } from '../telemetry/logging.ts';

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
/** How long after its token's time a service may still work for a caller: an upload and a stream, at their longest. */
const ON_BEHALF_OF_MAX_MS = 15 * 60_000;
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Starts a gRPC server. Every call needs a token that its service signed for this very method; without one it is
 * UNAUTHENTICATED. With `tls`, it needs a connection with that service's certificate as well.
 */
export async function listenGrpc(
  services: readonly BoundService[],
  address: ListenAddress,
  verifier: TokenVerifier,
  logger: Logger,
  tls: InternalTls | null = null,
): Promise<Running & { address: string }> {
  const server = new grpc.Server({ 'grpc.max_receive_message_length': MESSAGE_MAX_BYTES });
  for (const { service, handlers } of services) {
    const definition: Record<string, grpc.MethodDefinition<Message, Message>> = {};
    const implementation: Record<string, grpc.handleUnaryCall<Message, Message>> = {};
    for (const method of service.methods) {
      definition[method.localName] = methodDefinition(service, method as DescMethodUnary);
      implementation[method.localName] = unary(
        { method: method as DescMethodUnary, path: definition[method.localName]!.path },
        handlers[method.localName]!,
        { verifier, logger, tls },
      );
    }
    server.addService(definition, implementation);
  }
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = tls?.serverCredentials() ?? grpc.ServerCredentials.createInsecure();
    server.bindAsync(`${host}:${address.port}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const bound = `${host}:${port}`;
  tls?.onAuthorityRemoved(() => server.drain(bound, DRAIN_TIMEOUT_MS));
  return {
    address: bound,
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

interface Admission {
  verifier: TokenVerifier;
  /** Null: connections are not encrypted, and tokens alone tell who calls. */
  tls: InternalTls | null;
}

/**
 * Who calls: a service, or the caller in whose name it calls. A service may pass on only identities that a gateway sent
 * to that service, and only while it may still be at work on the request.
 */
async function callerOf(
  call: grpc.ServerUnaryCall<Message, Message>,
  path: string,
  { verifier, tls }: Admission,
): Promise<VerifiedCaller> {
  const textOf = (name: string) => call.metadata.get(name)[0]?.toString();
  const own = await verifier.verify(textOf(IDENTITY_HEADER), path);
  if (!own.ok) throw identityDenied(own.denial);
  if (own.caller.kind !== 'service') throw identityDenied('invalid');
  // A token that was stolen from a service is of no use to whoever has not its certificate, too.
  if (tls !== null && !isCertificateOf(call.getAuthContext().sslPeerCertificate, own.caller.service.service))
    throw identityDenied('invalid');
  const passedOn = textOf(ON_BEHALF_OF_HEADER);
  if (passedOn === undefined) return own.caller;
  const tenant = await verifier.verify(passedOn, own.caller.service.service, ON_BEHALF_OF_MAX_MS);
  if (!tenant.ok) throw identityDenied(tenant.denial);
  if (tenant.caller.kind !== 'tenant') throw identityDenied('invalid');
  return tenant.caller;
}

function unary(
  { method, path }: { method: DescMethodUnary; path: string },
  handler: (request: never, context: RpcContext) => Promise<unknown>,
  admission: Admission & { logger: Logger },
): grpc.handleUnaryCall<Message, Message> {
  return (call, callback) => {
    const aborted = new AbortController();
    call.on('cancelled', () => aborted.abort());
    const run = async () => {
      const caller = await callerOf(call, path, admission);
      return handler(call.request as never, { caller, signal: aborted.signal });
    };
    observeServerCall(path, call.metadata, run).then(
      (answer) => callback(null, create(method.output, answer as MessageInitShape<typeof method.output>)),
      (error: unknown) => {
        const status = toGrpcStatus(error);
        if (status.code === grpc.status.INTERNAL)
          admission.logger.error({ err: error, method: method.name }, 'rpc: a call failed with an internal error');
        callback(status);
      },
    );
  };
}
