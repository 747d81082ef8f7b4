import { cutText } from '@cairn/language';
import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { chunksOfDocuments } from '../documents/chunk-store.ts';
import { findDocument } from '../documents/document-store.ts';
import type { Engines } from '../memories/engines.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { reaches } from '../memories/visibility.ts';

/** Longer documents are cut off: what comes after is found by search. */
const TEXT_MAX_CHARS = 2_000_000;

export async function readDocument(deps: { engines: Engines }, memory: TargetMemory, docId: string) {
  const found = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const document = await findDocument(tx, memory, docId);
    if (document === null || !reaches(memory, closedVaults, document.vault_id)) return null;
    return { document, text: await textOf(tx, memory, docId) };
  });
  if (found === null) throw notFound('The document');
  const { document, text } = found;
  return {
    docId: document.doc_id,
    title: document.title,
    text,
    sourceUri: document.source_uri ?? '',
    occurredAt: document.occurred_at?.toISOString() ?? '',
    mediaType: document.media_type,
    vaultId: document.vault_id,
  };
}

async function textOf(tx: Tx, memory: TargetMemory, docId: string): Promise<string> {
  const chunks = await chunksOfDocuments(tx, memory, [docId]);
  let text = '';
  let path = '';
  for (const chunk of chunks) {
    if (text.length > TEXT_MAX_CHARS) break;
    // A heading says whom the text below it is about.
    if (chunk.title_path !== path) text += `${text === '' ? '' : '\n\n'}# ${chunk.title_path}`;
    path = chunk.title_path;
    text += `${text === '' ? '' : '\n\n'}${chunk.body}`;
  }
  return cutText(text, TEXT_MAX_CHARS);
}
