import { expect, it } from '@jest/globals';
import { runChaos } from '../bench/webhooks/chaos.ts';
import { measureSmoke } from '../bench/webhooks/measure.ts';

it('nothing is lost when the broker goes away under load, PostgreSQL is restarted and the service is killed', async () => {
  const options = { endpoints: 4, eventsPerSecond: 20, seconds: 12, brokerAwaySeconds: 4 };
  const result = await runChaos(options, () => undefined);
  expect(result).toMatchObject({ lost: 0, unrecorded: 0 });
  expect(result.committed).toBeGreaterThan(50);
}, 300_000);

it('the measurement runs, and all that was emitted arrives', async () => {
  const measured = await measureSmoke({
    endpoints: 4,
    dead: 1,
    backlog: 200,
    offered: 40,
    seconds: 2,
    warmUpSeconds: 1,
    floodEvents: 5,
  });
  expect(measured.oneHost).toBeGreaterThan(0);
  expect(measured.besideAll.p99Ms).toBeGreaterThan(0);
}, 240_000);
