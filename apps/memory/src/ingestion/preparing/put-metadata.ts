import { storable } from '@cairn/documents';

/** A text that was put away, by its place. */
export type ReadText = (place: number) => string;

/**
 * Puts away every key and value; what is given puts them back. A value stands behind its key as it would in a text, so
 * that one under `password` is known for what it is. A number that is masked comes back as a text.
 */
export function putMetadata(
  metadata: Record<string, unknown>,
  put: (text: string) => number,
): (read: ReadText) => Record<string, unknown> {
  const walk = (value: unknown): ((read: ReadText) => unknown) => {
    if (typeof value === 'string') {
      const place = put(storable(value));
      return (read) => read(place);
    }
    if (typeof value === 'number') {
      const text = String(value);
      const place = put(text);
      return (read) => (read(place) === text ? value : read(place));
    }
    if (Array.isArray(value)) {
      const parts = value.map(walk);
      return (read) => parts.map((part) => part(read));
    }
    return () => value;
  };
  const entries = Object.entries(metadata).map(([key, value]) => {
    const place = put(`${storable(key)}:`);
    return [place, walk(value)] as const;
  });
  return (read) => Object.fromEntries(entries.map(([place, value]) => [read(place).replace(/:$/, ''), value(read)]));
}
