const NAME = 'ReportTooLong';

/** A report is longer than a format can be laid out for. */
export class ReportTooLong extends Error {
  override readonly name = NAME;
  constructor() {
    super('the report is too long for this format');
  }
}

/** An error comes out of a worker process with its name, but not with its class. */
export function isReportTooLong(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
