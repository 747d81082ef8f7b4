import { describe, expect, it } from '@jest/globals';
import { type JsonOperation, OPERATIONS, searchMemory } from '@cairn/contracts';
import { assertComplete, handle } from './bound-operation.ts';

describe('assertComplete', () => {
  const own = OPERATIONS.filter((operation): operation is JsonOperation => operation.service === 'keys');
  const bound = own.map((operation) => handle(operation, () => Promise.reject(new Error('unused'))));

  it('is content with a handler for each operation of the service', () => {
    expect(() => assertComplete('keys', OPERATIONS, bound)).not.toThrow();
  });

  it('names an operation without handler and a handler of another service', () => {
    const stray = handle(searchMemory, () => Promise.reject(new Error('unused')));
    const refused = () =>
      assertComplete('keys', OPERATIONS, [...bound.filter(({ operation }) => operation.id !== 'createApiKey'), stray]);
    expect(refused).toThrow(expect.objectContaining({ internal: expect.stringMatching(/createApiKey.*searchMemory/) }));
  });
});
