/** A start that cannot be; the message says why and what to do. */
export class UpError extends Error {
  override readonly name = 'UpError';
}
