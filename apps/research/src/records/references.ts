const REFERENCE = /&(amp|lt|gt|quot|apos);/g;
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A text of an XML document with characters for its predefined references. */
export function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (_, name: string) => CHARACTERS.get(name)!);
}
