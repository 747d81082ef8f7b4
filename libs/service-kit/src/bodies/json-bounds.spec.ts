import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonBounds, measureJson } from './json-bounds.ts';

const WIDE: JsonBounds = { valuesMax: 1e9, fieldsMax: 1e9, itemsMax: 1e9, depthMax: 1_000 };
const measure = (text: string | Uint8Array, bounds: Partial<JsonBounds> = {}) =>
  measureJson(Buffer.from(text as string), { ...WIDE, ...bounds });

/** The same counts from the parsed value. An empty list or object counts one more, as it may have a member. */
function sizeOf(value: unknown): { values: number; fields: number; items: number; depth: number } {
  if (value === null || typeof value !== 'object') return { values: 1, fields: 0, items: 0, depth: 0 };
  const inner = Object.values(value as object).map(sizeOf);
  const most = (name: 'fields' | 'items' | 'depth') => Math.max(0, ...inner.map((size) => size[name]));
  const own = Math.max(1, inner.length);
  return {
    values:
      1 +
      Math.max(
        1,
        inner.reduce((sum, size) => sum + size.values, 0),
      ),
    fields: Math.max(most('fields'), Array.isArray(value) ? 0 : own),
    items: Math.max(most('items'), Array.isArray(value) ? own : 0),
    depth: 1 + most('depth'),
  };
}

describe('what a JSON text holds', () => {
  it('is counted as its parsed value would be, and each bound holds exactly', () => {
    const value = fc.json({ maxDepth: 6 }).map((text) => JSON.parse(text) as unknown);
    fc.assert(
      fc.property(value, fc.nat(2), (one, indent) => {
        const text = JSON.stringify(one, null, indent);
        const { values, fields, items, depth } = sizeOf(one);
        const exact = { valuesMax: values, fieldsMax: fields, itemsMax: items, depthMax: depth };
        expect(measure(text, exact)).toEqual({ ok: true, values });
        for (const [name, bound] of Object.entries(exact))
          if (bound > 1) expect(measure(text, { ...exact, [name]: bound - 1 }).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not mistaken by what stands inside strings', () => {
    for (const text of ['"[{,]}"', '"\\"[,\\\\"', '"\\\\\\"{,"', '"\\u005b,"', '"ä,🙂["'])
      expect(measure(text)).toEqual({ ok: true, values: 1 });
  });

  it('of repeated fields counts each of them', () => {
    expect(measure('{"a":1,"a":2,"a":3}', { fieldsMax: 2 })).toEqual({
      ok: false,
      message: 'has an object with more than 2 fields',
    });
  });

  it('is found without an error in any bytes whatever', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof measure(bytes).ok === 'boolean'));
    const hostile = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ 1a') });
    fc.assert(fc.property(hostile, (text) => typeof measure(text, { depthMax: 3 }).ok === 'boolean'));
  });

  it('is read no further than to the first bound', () => {
    // A view that fails when it is read beyond the first thousand bytes.
    const endless = new Proxy(Buffer.from('[1,'.repeat(1_000)), {
      get(bytes, name) {
        if (name === 'length') return 1e9;
        if (Number(name) > 1_000) throw new Error('read on');
        return Reflect.get(bytes, name) as unknown;
      },
    });
    expect(measureJson(endless, { ...WIDE, valuesMax: 100 }).ok).toBe(false);
    expect(measureJson(endless, { ...WIDE, depthMax: 64 }).ok).toBe(false);
  });
});
