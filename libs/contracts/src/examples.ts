import recorded from './examples.json' with { type: 'json' };

/** One call of an operation as it was made against an installation, with identifiers, times and secrets replaced. */
export interface OperationExample {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  status: number;
  /** The JSON value, the text, or a stream's last event that came back; long lists and texts are cut. */
  answer?: unknown;
}

/** An example of each operation by its id, written by `npm run generate:examples`. */
export const EXAMPLES: Readonly<Record<string, OperationExample>> = recorded;
