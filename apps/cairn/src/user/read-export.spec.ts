import { describe, expect, it } from '@jest/globals';
import { type ExportKind, readExport } from './read-export.ts';

const MEM0 = {
  id: '5f0c',
  memory: 'Ada prefers trains to flights.',
  user_id: 'ada',
  agent_id: null,
  categories: ['travel', 'preferences'],
  metadata: { ticket: 12, nested: { a: 1 }, source: 'chat' },
  created_at: '2025-03-01T10:00:00-07:00',
};
const ZEP = {
  uuid: '9ab1',
  content: 'I prefer trains.',
  role: 'Ada',
  role_type: 'user',
  source: 'message',
  thread_id: 'thread-1',
  created_at: '2025-03-01T10:00:00Z',
};

describe('an export', () => {
  it.each([[[MEM0]], [{ results: [MEM0] }], [{ count: 1, memories: [MEM0] }]])('of Mem0 is read: %#', (answer) => {
    expect(readExport('mem0', JSON.stringify(answer))).toEqual({
      texts: [
        {
          path: '5f0c',
          document: {
            content: 'Ada prefers trains to flights.',
            external_id: 'mem0:5f0c',
            occurred_at: '2025-03-01T17:00:00.000Z',
            metadata: { ticket: 12, source: 'chat', user_id: 'ada', categories: ['travel', 'preferences'] },
          },
        },
      ],
      leftOut: [],
    });
  });

  it('of Zep is read, with who said it', () => {
    const { texts } = readExport('zep', JSON.stringify({ episodes: [ZEP, { uuid: '2', content: 'A note.' }] }));
    expect(texts.map(({ document }) => document)).toEqual([
      {
        content: 'Ada: I prefer trains.',
        external_id: 'zep:9ab1',
        occurred_at: '2025-03-01T10:00:00.000Z',
        metadata: { role: 'Ada', role_type: 'user', source: 'message', thread_id: 'thread-1' },
      },
      { content: 'A note.', external_id: 'zep:2' },
    ]);
  });

  it('names what it leaves out', () => {
    const { texts, leftOut } = readExport('mem0', JSON.stringify([{ memory: 'x' }, { id: 'b', memory: ' ' }, 7, MEM0]));
    expect(texts).toHaveLength(1);
    expect(leftOut).toEqual([
      { path: 'entry 1', reason: 'has no id' },
      { path: 'b', reason: 'has no text' },
      { path: 'entry 3', reason: 'has no id' },
    ]);
  });

  it.each<[ExportKind, string, string]>([
    ['mem0', '{', 'not JSON'],
    ['mem0', '{"episodes":[]}', 'no export of mem0'],
    ['zep', '"text"', 'no export of zep'],
  ])('that %s never wrote is refused: %s', (kind, json, message) => {
    expect(() => readExport(kind, json)).toThrow(message);
  });
});
