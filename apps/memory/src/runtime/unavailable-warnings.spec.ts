import { expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import type { Logger } from '@cairn/service-kit';
import { limitUnavailableWarnings } from './unavailable-warnings.ts';

it('says once that a server is away, and everything else each time', () => {
  const said: string[] = [];
  const say = (_details: unknown, message: string) => said.push(message);
  const logger = limitUnavailableWarnings({ warn: say, error: say } as unknown as Logger);
  const away = new CairnError('unavailable', 'The database cannot be reached right now.');
  for (let i = 0; i < 5; i += 1) logger.warn({ err: away }, 'ingestion waits');
  for (let i = 0; i < 2; i += 1) logger.warn({ err: new Error('broken') }, 'document could not be indexed');
  logger.error({ err: away }, 'something worse');
  expect(said).toEqual([
    'ingestion waits',
    'document could not be indexed',
    'document could not be indexed',
    'something worse',
  ]);
});
