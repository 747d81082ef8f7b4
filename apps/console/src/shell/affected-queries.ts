/** By the beginning of an event's name; the first that fits counts. */
const TOUCHED: readonly (readonly [beginning: string, names: readonly string[]])[] = [
  ['memory.ingest.completed', ['documents', 'entities']],
  ['memory.ingest.', ['documents']],
  ['memory.entity.contradiction_', ['contradictions']],
  ['memory.entity.', ['entities', 'explore']],
  ['memory.health.', ['health']],
  ['memory.document.deleted', ['documents', 'entities']],
  ['memory.document.', ['documents']],
  ['research.run.', ['runs', 'run', 'lists', 'list']],
  ['credential.', ['keys', 'clients']],
];

/** Which data of the screens an event makes old, by the first part of its name. */
export function queriesAffectedBy(type: string): readonly string[] {
  return TOUCHED.find(([beginning]) => type.startsWith(beginning))?.[1] ?? [];
}
