import { describe, expect, it } from '@jest/globals';
import { WorkerFailure } from '@cairn/workers';
import { exportFailure } from './export-failure.ts';

describe('a report that cannot be laid out', () => {
  it('is too large when it takes too much memory', () => {
    expect(exportFailure(new WorkerFailure('out_of_memory', ''))).toMatchObject({ code: 'payload_too_large' });
  });

  it('is too large when it is too long for the format, told by a worker process', () => {
    const error = Object.assign(new Error('too long'), { name: 'ReportTooLong' });
    expect(exportFailure(error)).toMatchObject({ code: 'payload_too_large' });
  });

  it.each(['timed_out', 'crashed'] as const)('may be asked for again when its process %s', (reason) => {
    expect(exportFailure(new WorkerFailure(reason, ''))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  });

  it('leaves every other error as it is', () => {
    const error = new Error('another');
    expect(exportFailure(error)).toBe(error);
  });
});
