const TOUCHED: ReadonlyMap<string, readonly string[]> = new Map([
  ['memory.ingest.completed', ['documents', 'entities']],
  ['memory.ingest.dlp_flagged', ['documents']],
  ['memory.ingest.auto_routed', ['documents']],
  ['memory.entity.created', ['entities', 'explore']],
  ['memory.entity.contradiction_detected', ['contradictions']],
  ['memory.entity.contradiction_resolved', ['contradictions']],
  ['memory.health.assessed', ['health']],
  ['memory.document.queued', ['documents']],
  ['memory.document.failed', ['documents']],
  ['memory.document.deleted', ['documents', 'entities']],
  ['research.run.status_changed', ['runs', 'run', 'lists', 'list']],
  ['credential.created', ['keys', 'clients']],
  ['credential.revoked', ['keys', 'clients']],
]);

/** Which data of the screens an event makes old, by the first part of its name. */
export function queriesAffectedBy(type: string): readonly string[] {
  return TOUCHED.get(type) ?? [];
}
