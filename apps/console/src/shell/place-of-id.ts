const ID = /^[a-z]{2,5}_[A-Za-z0-9]+$/;

const PLACES: ReadonlyMap<string, (id: string) => string> = new Map(
  Object.entries({
    doc: (id: string) => `/documents/${id}`,
    chk: (id: string) => `/chunks/${id}`,
    mem: (id: string) => `/documents?memory=${id}`,
    whk: (id: string) => `/webhooks/${id}`,
    mbr: (id: string) => `/audit?actor=${id}`,
    key: (id: string) => `/audit?target=${id}`,
    thr: (id: string) => `/runs/${id}`,
    lst: (id: string) => `/lists/${id}`,
    ent: (id: string) => `/entities/${id}`,
  }),
);

/** The screen that shows what an id names, by its prefix; null for what is no id of a thing that has a screen. */
export function placeOfId(text: string): string | null {
  const id = text.trim();
  if (!ID.test(id)) return null;
  return PLACES.get(id.slice(0, id.indexOf('_')))?.(id) ?? null;
}
