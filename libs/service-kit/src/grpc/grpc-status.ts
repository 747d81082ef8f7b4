import { CairnError, type ErrorCode, isErrorCode } from '@cairn/errors';
import grpc from '@grpc/grpc-js';

const CODE_KEY = 'cairn-code';

const STATUS_OF: Partial<Record<ErrorCode, grpc.status>> = {
  identity_invalid: grpc.status.UNAUTHENTICATED,
  permission_denied: grpc.status.PERMISSION_DENIED,
  memory_not_permitted: grpc.status.PERMISSION_DENIED,
  not_found: grpc.status.NOT_FOUND,
  validation_failed: grpc.status.INVALID_ARGUMENT,
  conflict: grpc.status.FAILED_PRECONDITION,
  plan_limit_reached: grpc.status.RESOURCE_EXHAUSTED,
  insufficient_credits: grpc.status.RESOURCE_EXHAUSTED,
  rate_limited: grpc.status.RESOURCE_EXHAUSTED,
  unavailable: grpc.status.UNAVAILABLE,
  deadline_exceeded: grpc.status.DEADLINE_EXCEEDED,
};

/** Code → gRPC. Our code travels beside the status; what is not ours becomes INTERNAL without its text. */
export function toGrpcStatus(error: unknown): { code: grpc.status; details: string; metadata: grpc.Metadata } {
  const metadata = new grpc.Metadata();
  if (!(error instanceof CairnError)) return { code: grpc.status.INTERNAL, details: 'internal', metadata };
  metadata.set(CODE_KEY, error.code);
  return { code: STATUS_OF[error.code] ?? grpc.status.INTERNAL, details: error.message, metadata };
}

/** What a failed call means for the caller of this service. */
export function fromGrpcError(error: unknown): CairnError {
  const failure = error as Partial<grpc.ServiceError>;
  const code = failure.metadata?.get(CODE_KEY)[0]?.toString();
  const internal = `${failure.code ?? 'no code'}: ${failure.details ?? String(error)}`;
  if (isErrorCode(code)) return new CairnError(code, failure.details ?? '', { cause: error, internal });
  if (failure.code === grpc.status.UNAVAILABLE || failure.code === grpc.status.DEADLINE_EXCEEDED) {
    return new CairnError('unavailable', 'A part of the service cannot be reached right now.', {
      cause: error,
      internal,
    });
  }
  return new CairnError('internal', 'A call inside the service failed.', { cause: error, internal });
}
