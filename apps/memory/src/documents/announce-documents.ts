import { encodeEvent, type EventScope } from '@cairn/contracts';
import { appendAllToOutbox, appendToOutbox, type Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { type DocumentRow, UNTITLED } from './document-store.ts';

type Announced = Pick<DocumentRow, 'doc_id' | 'vault_id' | 'workspace_id' | 'livemode'>;

/** Whom an event about the document is about. */
export function eventScopeOf(scope: MemoryScope, row: Pick<DocumentRow, 'workspace_id' | 'livemode'>): EventScope {
  return { tenantId: scope.tenantId, memoryId: scope.memoryId, workspaceId: row.workspace_id, livemode: row.livemode };
}

/** Publishes what happened to documents of one memory: one event for each vault that they lie in. */
export async function announceDocuments(
  tx: Tx,
  scope: MemoryScope,
  kind: 'documentsQueued' | 'documentsDeleted',
  rows: readonly Announced[],
): Promise<void> {
  const events = [...Map.groupBy(rows, (row) => row.vault_id)].map(([vaultId, own]) =>
    encodeEvent(kind, eventScopeOf(scope, own[0]!), { vaultId, docIds: own.map((row) => row.doc_id) }),
  );
  await appendAllToOutbox(tx, events);
}

/** Publishes that a document failed for good. */
export async function announceFailure(
  tx: Tx,
  scope: MemoryScope,
  { doc_id: docId, vault_id: vaultId, ...row }: Announced & Pick<DocumentRow, 'title'>,
  failure: { code: string; message: string; title?: string },
): Promise<void> {
  const { code, message } = failure;
  const title = row.title === '' ? (failure.title ?? UNTITLED) : row.title;
  await appendToOutbox(
    tx,
    encodeEvent('documentFailed', eventScopeOf(scope, row), { docId, vaultId, title, code, message }),
  );
}
