import { type PutText, type ReadText, storable } from '@cairn/documents';

/**
 * Puts away every key and value; what is given puts them back. A value goes by its key, so that one under `password` is
 * known for what it is. A number that is masked comes back as a text.
 */
export function putMetadata(
  metadata: Record<string, unknown>,
  put: PutText,
): (read: ReadText) => Record<string, unknown> {
  const putValue = (text: string, key: string) => put(text, [{ names: [key], start: 0, end: text.length, record: 0 }]);
  const walk = (value: unknown, key: string): ((read: ReadText) => unknown) => {
    if (typeof value === 'string') {
      const place = putValue(storable(value), key);
      return (read) => read(place);
    }
    if (typeof value === 'number') {
      const text = String(value);
      const place = putValue(text, key);
      return (read) => (read(place) === text ? value : read(place));
    }
    if (Array.isArray(value)) {
      const parts = value.map((part) => walk(part, key));
      return (read) => parts.map((part) => part(read));
    }
    return () => value;
  };
  const entries = Object.entries(metadata).map(([name, value]) => {
    const key = storable(name);
    const place = put(`${key}:`);
    return [place, walk(value, key)] as const;
  });
  return (read) => Object.fromEntries(entries.map(([place, value]) => [read(place).replace(/:$/, ''), value(read)]));
}
