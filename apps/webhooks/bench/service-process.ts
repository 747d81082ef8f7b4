import pino from 'pino';
import type { Config } from '../src/config.ts';
import { startWebhooks } from '../src/service.ts';

process.once('message', async (config: Config) => {
  await startWebhooks(config, pino({ level: 'silent' }));
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
