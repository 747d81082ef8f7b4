/** Why an attempt was given up: a code that may be shown. `counted` is false when the document is not to blame. */
export class AttemptFailure extends Error {
  /** Shown to the document's owner; never holds anything of the document. */
  readonly reason: string;
  readonly counted: boolean;
  readonly final: { code: string; message: string } | null;

  constructor(reason: string, options: { counted?: boolean; final?: { code: string; message: string } } = {}) {
    super(reason);
    this.name = 'AttemptFailure';
    this.reason = reason;
    this.counted = options.counted ?? true;
    this.final = options.final ?? null;
  }
}
