export type { Change, ChangeLog } from './change-log.ts';
export { handle, handlePublic, assertComplete, file, socket, handleMcp, stream } from './bound-operation.ts';
export type {
  BoundOperation,
  RequestContext,
  Emit,
  FileResponse,
  JsonResponse,
  PublicResponse,
  PublicRequestContext,
  StreamContext,
} from './bound-operation.ts';
export {
  ConfigError,
  databaseUrl,
  listenAddress,
  migrationVariables,
  parseConfig,
  serviceVariables,
  telemetryVariables,
  variable,
} from './config.ts';
export type { ConfigOf, ListenAddress, Variable } from './config.ts';
export { rpcClient } from './grpc-client.ts';
export type { RpcClient, RpcOptions } from './grpc-client.ts';
export { listenGrpc, requireService, rpc } from './grpc-server.ts';
export type { BoundService, RpcContext, ServiceHandlers } from './grpc-server.ts';
export { openInternalTls } from './internal-tls.ts';
export type { InternalTls } from './internal-tls.ts';
export { listenHttp } from './http-server.ts';
export type { HttpBounds, HttpListener } from './http-server.ts';
export { readIdentityKeys, readRequestBinders, readServiceKeys } from './keys-from-files.ts';
export { createLargeBodies } from './large-bodies.ts';
export { readConfig, runMain, runService, unknownVariables } from './lifecycle.ts';
export type { StartedService } from './lifecycle.ts';
export { closeInReverse } from './running.ts';
export type { Running } from './running.ts';
export { assertResponsive, LATENESS_HEADER, noteWork } from './loop-watch.ts';
export { createLogger } from './logging.ts';
export type { Logger } from './logging.ts';
export { authenticateRequest } from './authenticate-request.ts';
export { operationsApp } from './operations-app.ts';
export type { OperationsAppOptions } from './operations-app.ts';
export { listenOperations } from './listen-operations.ts';
export { repeat } from '@cairn/background';
export { SseWriter } from './sse.ts';
export { collectGarbage, collectStartGarbage } from './start-garbage.ts';
export { createTenantShares } from './tenant-shares.ts';
export type { TenantShares } from './tenant-shares.ts';
export { VERSION } from './version.ts';
export { validateRequest } from './validate.ts';
export { lookupHost, watchAddresses } from './replica-addresses.ts';
export type { HostPort, LookupHost } from './replica-addresses.ts';
