/** An event with impossible values; it goes to the dead letters. */
export class UnusableEvent extends Error {
  override readonly name = 'UnusableEvent';
}

const TEXT_MAX_CHARS = 256;

/** The text of a field of an event; throws `UnusableEvent` when it is missing or cannot be stored. */
export function requiredText(field: string, value: string): string {
  const found = optionalText(field, value);
  if (found === null) throw new UnusableEvent(`${field} is missing`);
  return found;
}

/** The same, with null for an empty text; `long`: of any length. */
export function optionalText(field: string, value: string, long = false): string | null {
  if (!long && value.length > TEXT_MAX_CHARS) throw new UnusableEvent(`${field} is too long`);
  if (value.includes('\0')) throw new UnusableEvent(`${field} contains a NUL character`);
  return value === '' ? null : value;
}
