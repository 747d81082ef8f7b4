import type { JsonOperation } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import type { Request } from 'express';
import type { BoundOperation } from './bound-operation.ts';

/** A request for an operation that changes something. */
export interface Change {
  operation: JsonOperation;
  identity: Identity;
  requestId: string;
  /** Empty when the gateway did not say. */
  clientAddress: string;
  /** The parameters of its path. */
  params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Records who changed what. */
export interface ChangeLog {
  /** Runs the handler; what it commits is recorded in the same transaction, or is not committed. */
  record<Answer extends { body: unknown; status?: number }>(
    change: Change,
    handle: () => Promise<Answer>,
  ): Promise<Answer>;
}

type Changing = Extract<BoundOperation, { kind: 'json' }>;

/** An operation that answers after it has changed something; the others read, stream or open a connection. */
export function isChange(bound: BoundOperation): bound is Changing {
  return bound.kind === 'json' && bound.operation.action === 'write';
}

const ADDRESS_MAX_CHARS = 64;

/** The client's address as the gateway forwards it. It is recorded; nothing is decided by it. */
export function clientAddressOf(request: Request): string {
  const header = request.headers['x-forwarded-for'];
  return typeof header === 'string' ? header.slice(0, ADDRESS_MAX_CHARS) : '';
}
