import { CairnError } from '@cairn/errors';
import { WorkerFailure } from '@cairn/workers';
import { isReportTooLong } from '../exports/report-too-long.ts';

const RETRY_AFTER_SECONDS = 5;

/** The error for a report that could not be laid out: only its length is the report's own fault. */
export function exportFailure(error: unknown): unknown {
  if (isReportTooLong(error) || (error instanceof WorkerFailure && error.reason === 'out_of_memory'))
    return new CairnError('payload_too_large', 'The report is too long for this format.');
  if (!(error instanceof WorkerFailure)) return error;
  return new CairnError('unavailable', 'The report could not be laid out at the moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
