import type * as operations from '@cairn/contracts';
import type { ByteCipher } from '@cairn/encryption';
import { CairnError, notFound } from '@cairn/errors';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import { create as contentDisposition } from 'content-disposition';
import { decryptPayload } from './payload-encryption.ts';
import { reaches } from '../memories/visibility.ts';
import { findDocument } from '../documents/document-store.ts';
import { findOriginal } from '../documents/original-store.ts';
import type { ReadDocumentsDeps } from '../documents/present-document.ts';

/** Returns what was handed in as a download that no browser shows or runs on this origin. */
export async function getDocumentOriginal(
  deps: ReadDocumentsDeps & { cipher: ByteCipher },
  context: RequestContext<typeof operations.getDocumentOriginal>,
): Promise<FileResponse> {
  const { doc_id: docId } = context.params;
  const memory = await deps.memories.resolve(context, { memory_id: context.query.memory_id });
  const sealed = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) throw notFound('The document');
    return findOriginal(tx, memory, docId);
  });
  if (sealed === null) throw notFound('The original of the document');
  const { content, about } = opened(() => decryptPayload(deps.cipher, memory, docId, sealed));
  const name = about.fileName === '' ? `${docId}${typeof content === 'string' ? '.txt' : ''}` : about.fileName;
  return {
    mediaType: 'application/octet-stream',
    body: content ?? '',
    headers: {
      'content-disposition': contentDisposition(name, { type: 'attachment' }),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  };
}

function opened<T>(decrypt: () => T): T {
  try {
    return decrypt();
  } catch (cause) {
    throw new CairnError('conflict', 'The original cannot be decrypted any more. Send the document again.', { cause });
  }
}
