import { contextOf, counter, durationHistogram, inSpan, isInTrace, TRACEPARENT, traceparentOf } from '@cairn/telemetry';
import grpc from '@grpc/grpc-js';
import { toGrpcStatus } from './grpc-status.ts';

const served = counter('cairn_grpc_server_calls_total', 'gRPC calls that a service has answered.', ['method', 'code']);
const servedDurations = durationHistogram(
  'cairn_grpc_server_call_duration_seconds',
  'gRPC calls, as their server sees them.',
  ['method'],
);
const made = counter('cairn_grpc_client_calls_total', 'gRPC calls that a service has made.', ['method', 'code']);
const madeDurations = durationHistogram(
  'cairn_grpc_client_call_duration_seconds',
  'gRPC calls, as their client sees them: with connecting and waiting.',
  ['method'],
);

/** Counts, times and traces a call that is made; `work` sends the metadata that it is given with it. */
export function observeClientCall<T>(path: string, metadata: grpc.Metadata, work: () => Promise<T>): Promise<T> {
  // Calls that no request causes, such as renewals every few seconds, begin no traces.
  if (!isInTrace()) return counted(path, { calls: made, durations: madeDurations }, work);
  return inSpan(path.slice(1), { kind: 'client', attributes: attributesOf(path) }, () => {
    const traceparent = traceparentOf();
    if (traceparent !== null) metadata.set(TRACEPARENT, traceparent);
    return counted(path, { calls: made, durations: madeDurations }, work);
  });
}

/** Counts, times and traces a call that is answered, in the trace of its caller. */
export function observeServerCall<T>(path: string, metadata: grpc.Metadata, work: () => Promise<T>): Promise<T> {
  const traceparent = metadata.get(TRACEPARENT)[0]?.toString();
  if (traceparent === undefined) return counted(path, { calls: served, durations: servedDurations }, work);
  const parent = contextOf(traceparent);
  return inSpan(path.slice(1), { kind: 'server', parent, attributes: attributesOf(path) }, () =>
    counted(path, { calls: served, durations: servedDurations }, work),
  );
}

function attributesOf(path: string) {
  const [service = '', method = ''] = path.slice(1).split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}

async function counted<T>(
  path: string,
  { calls, durations }: { calls: typeof served; durations: typeof servedDurations },
  work: () => Promise<T>,
): Promise<T> {
  // `KeysService/Resolve`: the package is the same for all of one service, and its version is no use on a chart.
  const method = path.slice(path.lastIndexOf('.') + 1);
  const startedMs = performance.now();
  const end = (code: grpc.status) => {
    calls.inc({ method, code: grpc.status[code] });
    durations.observe({ method }, (performance.now() - startedMs) / 1_000);
  };
  try {
    const result = await work();
    end(grpc.status.OK);
    return result;
  } catch (error) {
    end(codeOf(error));
    throw error;
  }
}

function codeOf(error: unknown): grpc.status {
  if (error instanceof DOMException) return grpc.status.CANCELLED;
  return toGrpcStatus(error).code;
}
