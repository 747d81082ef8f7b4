/** The words of an identifier or of the name of a file, in small letters; single letters and digits are no words. */
export function splitName(name: string): string[] {
  const parts = name.replace(/OAuth/g, 'Oauth').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return parts.filter((part) => part.length > 1).map((part) => part.toLowerCase());
}
