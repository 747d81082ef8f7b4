import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type HostPort, hostPorts, watchAddresses } from './replica-addresses.ts';

let published: { addresses: readonly HostPort[]; failure: unknown }[];
let answers: Map<string, string[]>;
let watch: ReturnType<typeof watchAddresses>;

const lookupOf = async (host: string) => {
  const found = answers.get(host);
  if (found === undefined) throw new Error(`${host} is not known`);
  return found;
};
const start = (target: string) => {
  watch = watchAddresses(hostPorts(target), lookupOf, (addresses, failure) => published.push({ addresses, failure }));
  watch.refresh();
};
const publishedAddresses = () => published.map(({ addresses }) => addresses.map(({ host, port }) => `${host}:${port}`));

beforeEach(() => {
  jest.useFakeTimers();
  published = [];
  answers = new Map();
});
afterEach(() => {
  watch.close();
  jest.useRealTimers();
});

describe('the addresses of replicas', () => {
  it('are those of all hosts, and a replica that joins is published within seconds', async () => {
    answers.set('memory', ['10.0.0.1']);
    start('memory:7000,10.0.0.9:7001');
    await jest.advanceTimersByTimeAsync(0);
    answers.set('memory', ['10.0.0.1', '10.0.0.2']);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(publishedAddresses()).toEqual([
      ['10.0.0.1:7000', '10.0.0.9:7001'],
      ['10.0.0.1:7000', '10.0.0.2:7000', '10.0.0.9:7001'],
    ]);
  });

  it('are not published again while they stay the same, whatever their order and however often they are asked for', async () => {
    answers.set('memory', ['10.0.0.1', '10.0.0.2']);
    start('dns:///memory:7000');
    await jest.advanceTimersByTimeAsync(2_500);
    answers.set('memory', ['10.0.0.2', '10.0.0.1']);
    await jest.advanceTimersByTimeAsync(10_000);
    for (let n = 0; n < 10; n += 1) watch.refresh();
    await jest.advanceTimersByTimeAsync(0);
    expect(published).toHaveLength(1);
  });

  it('stay those of the last lookup that succeeded', async () => {
    answers.set('memory', ['10.0.0.1']);
    start('memory:7000');
    await jest.advanceTimersByTimeAsync(0);
    answers.clear();
    await jest.advanceTimersByTimeAsync(10_000);
    answers.set('memory', ['10.0.0.2']);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(publishedAddresses()).toEqual([['10.0.0.1:7000'], ['10.0.0.2:7000']]);
  });

  it('are none, with the reason, when no name was ever found', async () => {
    start('memory:7000');
    await jest.advanceTimersByTimeAsync(0);
    const none = { addresses: [], failure: expect.objectContaining({ message: 'memory is not known' }) };
    expect(published).toEqual([none]);
    // A channel that asked again would otherwise wait, and its calls for their deadline.
    await jest.advanceTimersByTimeAsync(600);
    watch.refresh();
    await jest.advanceTimersByTimeAsync(0);
    expect(published).toEqual([none, none]);
  });

  it.each(['memory', 'memory:70000', 'memory:7000,', 'http://memory:7000'])(
    'cannot be read from %j, and the message says how they are written',
    (target) => {
      expect(() => hostPorts(target)).toThrow('it is written host:port');
    },
  );
});
