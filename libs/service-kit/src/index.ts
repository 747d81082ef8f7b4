export type { Change, ChangeLog } from './http/change-log.ts';
export { handle, handlePublic, assertComplete, file, socket, handleMcp, stream } from './http/bound-operation.ts';
export type {
  BoundOperation,
  RequestContext,
  Emit,
  FileResponse,
  JsonResponse,
  PublicResponse,
  PublicRequestContext,
  StreamContext,
} from './http/bound-operation.ts';
export {
  ConfigError,
  databaseUrl,
  listenAddress,
  migrationVariables,
  parseConfig,
  serviceVariables,
  telemetryVariables,
  variable,
} from './config/config.ts';
export type { ConfigOf, ListenAddress, Variable } from './config/config.ts';
export { rpcClient } from './grpc/grpc-client.ts';
export type { RpcClient, RpcOptions } from './grpc/grpc-client.ts';
export { listenGrpc, requireService, rpc } from './grpc/grpc-server.ts';
export type { BoundService, RpcContext, ServiceHandlers } from './grpc/grpc-server.ts';
export { openInternalTls } from './identity/internal-tls.ts';
export type { InternalTls } from './identity/internal-tls.ts';
export { listenHttp } from './http/http-server.ts';
export type { HttpBounds, HttpListener } from './http/http-server.ts';
export { readIdentityKeys, readRequestBinders, readServiceKeys } from './identity/keys-from-files.ts';
export { createLargeBodies } from './bodies/large-bodies.ts';
export { readConfig, runMain, runService, unknownVariables } from './process/lifecycle.ts';
export type { StartedService } from './process/lifecycle.ts';
export { closeInReverse } from './running.ts';
export type { Running } from './running.ts';
export { assertResponsive, LOOP_DELAY_HEADER, labelWork } from './telemetry/loop-watch.ts';
export { createLogger } from './telemetry/logging.ts';
export type { Logger } from './telemetry/logging.ts';
export { authenticateRequest } from './identity/authenticate-request.ts';
export { operationsApp } from './http/operations-app.ts';
export type { OperationsAppOptions } from './http/operations-app.ts';
export { listenOperations } from './http/listen-operations.ts';
export { repeat } from '@cairn/background';
export { SseWriter } from './http/sse.ts';
export { collectGarbage, collectStartGarbage } from './process/start-garbage.ts';
export { createTenantShares } from './bodies/tenant-shares.ts';
export type { TenantShares } from './bodies/tenant-shares.ts';
export { VERSION } from './process/version.ts';
export { validateRequest } from './bodies/validate.ts';
export { lookupHost, watchAddresses } from './grpc/replica-addresses.ts';
export type { HostPort, LookupHost } from './grpc/replica-addresses.ts';
