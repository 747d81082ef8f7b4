/** What PostgreSQL stores in no text and no jsonb: NUL, and halves of surrogate pairs. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/**
 * A value of pages' and files' texts with U+FFFD for what cannot be stored. Each takes one UTF-16 unit as before, so
 * that places in the texts stay what they are.
 */
export function storable<Value>(value: Value): Value {
  return replaced(value) as Value;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map(replaced);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [replaced(key), replaced(one)]));
}
