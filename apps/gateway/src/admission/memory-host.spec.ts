import { describe, expect, it } from '@jest/globals';
import { CairnError, notFound } from '@cairn/errors';
import { assertHostPermits, createMemoryHosts } from './memory-host.ts';

const MINE = { memoryId: 'mem_1', tenantId: 'tnt_1' };

function hostsOf(memories: Record<string, typeof MINE>, failure?: Error) {
  const asked: string[] = [];
  const tenancy = {
    async findMemoryHost({ subdomain = '' }) {
      asked.push(subdomain);
      await Promise.resolve();
      if (failure !== undefined) throw failure;
      const found = memories[subdomain];
      if (found === undefined) throw notFound('The memory');
      return { $typeName: 'cairn.tenancy.v1.FindMemoryHostResponse' as const, ...found };
    },
  };
  return { hosts: createMemoryHosts(tenancy, 'Mem.Test'), asked };
}

describe("a memory's own hostname", () => {
  it.each(['mine.mem.test', 'MINE.mem.TEST', 'mine.mem.test.', 'mine.mem.test:8080', 'mine.mem.test.:8080'])(
    '%s is that of mine',
    async (host) => {
      const { hosts } = hostsOf({ mine: MINE });
      expect(hosts.isMemoryHost(host)).toBe(true);
      expect(await hosts.find(host)).toEqual(MINE);
    },
  );

  it.each([
    'mem.test',
    'mem.test:80',
    'minemem.test',
    'mine.mem.test.evil.test',
    '127.0.0.1:8080',
    '[::1]:8080',
    'localhost',
    '',
  ])('%j is none', async (host) => {
    const { hosts, asked } = hostsOf({ mine: MINE });
    expect(hosts.isMemoryHost(host)).toBe(false);
    expect(await hosts.find(host)).toBeNull();
    expect(asked).toEqual([]);
  });

  it.each(['.mem.test', 'a.b.mem.test', '-a.mem.test', 'a-.mem.test', 'a_b.mem.test', `${'a'.repeat(64)}.mem.test`])(
    '%s is nobody’s, and not worth a question',
    async (host) => {
      const { hosts, asked } = hostsOf({});
      expect(hosts.isMemoryHost(host)).toBe(true);
      await expect(hosts.find(host)).rejects.toMatchObject({ code: 'not_found' });
      expect(asked).toEqual([]);
    },
  );

  it('is asked for once, by however many at once, found or not', async () => {
    const { hosts, asked } = hostsOf({ mine: MINE });
    await Promise.all([hosts.find('mine.mem.test'), hosts.find('mine.mem.test'), hosts.find('MINE.mem.test:1')]);
    await Promise.allSettled([hosts.find('other.mem.test'), hosts.find('other.mem.test')]);
    await hosts.find('other.mem.test').catch(() => undefined);
    expect(asked).toEqual(['mine', 'other']);
  });

  it('is unavailable, not unknown, when tenancy fails in any way', async () => {
    for (const failure of [new CairnError('identity_invalid', ''), new CairnError('internal', ''), new Error('down')]) {
      const { hosts } = hostsOf({}, failure);
      await expect(hosts.find('mine.mem.test')).rejects.toMatchObject({ code: 'unavailable' });
    }
  });
});

describe('a caller on the hostname of a memory', () => {
  const codeOf = (caller: { tenantId: string; memoryId: string | null }, path = '/api/v1/memory/search') => {
    try {
      assertHostPermits(MINE, caller, { path });
    } catch (error) {
      return (error as CairnError).code;
    }
    return 'permitted';
  };

  it('is let in with a key of the tenant or of the memory', () => {
    expect(codeOf({ tenantId: 'tnt_1', memoryId: null })).toBe('permitted');
    expect(codeOf({ tenantId: 'tnt_1', memoryId: 'mem_1' })).toBe('permitted');
  });

  it('is refused with the key of another memory of the tenant', () => {
    expect(codeOf({ tenantId: 'tnt_1', memoryId: 'mem_2' })).toBe('memory_not_permitted');
  });

  it("does not learn that another tenant's memory exists, whatever its key", () => {
    expect(codeOf({ tenantId: 'tnt_2', memoryId: null })).toBe('not_found');
    expect(codeOf({ tenantId: 'tnt_2', memoryId: 'mem_2' })).toBe('not_found');
  });

  it('is told who it is, as everywhere that its key reaches', () => {
    const ask = (memoryId: string | null, tenantId = 'tnt_1') => codeOf({ tenantId, memoryId }, '/api/v1/whoami');
    expect([ask(null), ask('mem_1'), ask('mem_2'), ask(null, 'tnt_2')]).toEqual([
      'permitted',
      'permitted',
      'memory_not_permitted',
      'not_found',
    ]);
  });

  it('finds nothing but what is about the memory', () => {
    const elsewhere = ['memories', 'api-keys', 'memory', 'memoryx/search', 'events/stream', 'console/tickets'];
    for (const path of elsewhere)
      expect(codeOf({ tenantId: 'tnt_1', memoryId: null }, `/api/v1/${path}`)).toBe('not_found');
  });
});
