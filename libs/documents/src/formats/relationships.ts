import { readXml } from './xml.ts';
import { entryAt, type OpenZip } from './zip.ts';

interface Relationship {
  /** The last word of its type: `worksheet`, `chartsheet`. */
  kind: string;
  /** The entry that is meant. */
  part: string;
}

/** What a part of an office file means by its ids; empty when the file does not say. */
export async function readRelationships(zip: OpenZip, part: string): Promise<ReadonlyMap<string, Relationship>> {
  const found = new Map<string, Relationship>();
  const nameAt = part.lastIndexOf('/') + 1;
  const xml = await zip.readText(`${part.slice(0, nameAt)}_rels/${part.slice(nameAt)}.rels`);
  if (xml === null) return found;
  readXml(xml, {
    open(name, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || mode === 'External') return;
      found.set(id, { kind: type.slice(type.lastIndexOf('/') + 1), part: entryAt(part, target) });
    },
  });
  return found;
}

/** The id of the relationship that an element stands for; only its prefix distinguishes it from other ids. */
export function relationIn(attributes: Record<string, string>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
}
