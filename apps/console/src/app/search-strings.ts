type Search<Name extends string> = Partial<Record<Name, string>>;

/** The named search parameters that are in the address, as text; everything else of the address is dropped. */
export function strings<Name extends string>(...names: Name[]): (search: Record<string, unknown>) => Search<Name> {
  return (search) => {
    const read: Search<Name> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') read[name] = value;
    }
    return read;
  };
}

/** `?a=b&c=d`, without the router's own encoding of types, so that an address can be read and written by hand. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
