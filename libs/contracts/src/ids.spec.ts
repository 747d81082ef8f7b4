import { describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, idFloor, type IdKind, idPattern, idTime, isId, newId } from './ids.ts';

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

describe('newId', () => {
  it.each(KINDS)('of a %s begins with its prefix and matches the pattern of its kind alone', (kind) => {
    const id = newId(kind);
    expect(id.startsWith(`${ID_PREFIXES[kind]}_`)).toBe(true);
    expect(KINDS.filter((other) => idPattern(other).test(id))).toEqual([kind]);
  });

  it('gives ids that sort in the order of their making, within a millisecond too', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('document'));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives ids of one length, so that text order is time order', () => {
    const lengths = new Set(Array.from({ length: 1_000 }, () => newId('chunk').length));
    expect(lengths.size).toBe(1);
  });

  it('has a prefix of its own for each kind', () => {
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
  });
});

describe('idFloor', () => {
  it('sorts before the ids of its millisecond and after those from before', () => {
    const ids = Array.from({ length: 200 }, () => newId('delivery'));
    for (const id of ids) {
      const made = idTime('delivery', id)!;
      expect(idFloor('delivery', made) < id).toBe(true);
      expect(idFloor('delivery', new Date(made.getTime() + 1)) > id).toBe(true);
    }
  });
});

describe('isId', () => {
  it.each(KINDS)('knows a %s', (kind) => expect(isId(newId(kind))).toBe(true));
  it.each(['ada', 'ada@example.org', 'ck_live_abc', 'who_1', 'key_', 'key_1 ', 'openai'])('is none: %j', (text) =>
    expect(isId(text)).toBe(false),
  );
});

describe('idPattern', () => {
  it.each([
    '',
    'mem_',
    'mem',
    'MEM_1',
    'mem_0',
    'mem_l',
    'mem_1 ',
    ' mem_1',
    'mem_1\n',
    `mem_${'1'.repeat(31)}`,
    'ws_1',
  ])('refuses %j as a memory', (text) => {
    expect(idPattern('memory').test(text)).toBe(false);
  });
});
