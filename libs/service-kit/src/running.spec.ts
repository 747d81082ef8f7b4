import { describe, expect, it } from '@jest/globals';
import { closeInReverse } from './running.ts';

describe('closeInReverse', () => {
  it('closes one part after the other, the last started first', async () => {
    const log: string[] = [];
    const part = (name: string) => async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} is closed`);
    };
    await closeInReverse([{ close: part('database') }, part('events'), { close: part('http') }]).close();
    expect(log).toEqual([
      'http begins',
      'http is closed',
      'events begins',
      'events is closed',
      'database begins',
      'database is closed',
    ]);
  });

  it('gives every part its turn though one before it fails, and tells the failures', async () => {
    const closed: string[] = [];
    const parts = closeInReverse([
      async () => void closed.push('first'),
      () => {
        throw new Error('at once');
      },
      () => Promise.reject(new Error('later')),
      async () => void closed.push('last'),
    ]);
    const failure = await parts.close().catch((error: AggregateError) => error);
    expect(closed).toEqual(['last', 'first']);
    expect((failure as AggregateError).errors.map(({ message }: Error) => message)).toEqual(['later', 'at once']);
  });
});
