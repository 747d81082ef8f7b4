import pino from 'pino';
import type { Config } from '../../../../apps/webhooks/src/config.ts';
import { startWebhooks } from '../../../../apps/webhooks/src/service.ts';

process.once('message', async (config: Config) => {
  await startWebhooks(config, pino({ level: 'silent' }));
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
