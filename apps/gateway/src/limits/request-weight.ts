import type { IncomingMessage } from 'node:http';
import type { Operation } from '@cairn/contracts';

/** A body of so many bytes costs about as much as listing something. */
const BYTES_PER_WEIGHT = 16_384;
/** What a compressed body holds is not known before it is inflated. */
const ENCODED_WEIGHT = 10;
const READING_WEIGHT = 1;
const CHANGING_WEIGHT = 2;

/**
 * Roughly what a request costs, in units of listing something. An overloaded machine is divided by it; rates, quotas and
 * charges do not depend on it.
 */
export function weightOf(
  { method, weight = method === 'GET' ? READING_WEIGHT : CHANGING_WEIGHT }: Pick<Operation, 'method' | 'weight'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): number {
  const bytes = Number(headers['content-length'] ?? 0);
  const encoded = headers['content-encoding'] === undefined ? 0 : ENCODED_WEIGHT;
  return weight + encoded + (Number.isFinite(bytes) ? bytes / BYTES_PER_WEIGHT : 0);
}
