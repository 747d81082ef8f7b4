import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM } from '@cairn/events';
import { startTestNats, type TestNats } from '@cairn/testing';
import { Command } from 'commander';
import { addBrokerCommands, prepareBroker } from './broker-commands.ts';

let nats: TestNats;
beforeAll(async () => {
  nats = await startTestNats();
});
afterAll(() => nats.remove());

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const program = new Command().exitOverride();
  addBrokerCommands(program, { natsAdminUrl: undefined }, (line) => lines.push(line ?? ''));
  await program.parseAsync(['node', 'cairn', 'broker', ...args]);
  return lines;
}

describe('the commands for an operator’s own broker', () => {
  it('create both streams, and change nothing when they are there', async () => {
    for (let n = 0; n < 2; n += 1) await prepareBroker(nats.url);
    // The user of a service would not create them.
    const bus = await connectEventBus({ natsUrl: nats.url, name: new URL(nats.url).username });
    for (const stream of [EVENT_STREAM, DEAD_LETTER_STREAM])
      expect((await bus.manager.streams.info(stream)).config.name).toBe(stream);
    await bus.close();
  });

  it('say that the streams are ready', async () => {
    const said = await run('prepare', '--admin-url', nats.url);
    expect(said).toEqual(['The streams CAIRN_EVENTS and CAIRN_DEAD are ready.']);
  });

  it('print a user for each service that has to do with events, none of them without bounds', async () => {
    const lines = await run('permissions');
    const users = lines.flatMap((line) => /user: "(\w+)"/.exec(line)?.[1] ?? []);
    expect(users.toSorted()).toEqual(['keys', 'memory', 'research', 'tenancy', 'usage', 'webhooks']);
    for (const line of lines.filter((each) => each.includes('user: '))) {
      expect(line).toMatch(/publish: { allow: \["[^\]]+\] }, subscribe: { allow: \["_INBOX_\w+\.>"\] }/);
      expect(line).not.toMatch(/"(>|\*|cairn\.>|\$JS\.API\.>)"/);
    }
  });
});
