import { allCalls } from './calls.ts';
import { invoke } from './invoke.ts';
import type { RequestOptions } from './shapes.ts';
import { sleep, type Transport } from './transport.ts';
import type { Document } from '../gen/schemas.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export type DocumentsToWaitFor =
  | readonly (string | { doc_id: string })[]
  | { documents: readonly { doc_id: string }[] };

export interface WaitOptions extends RequestOptions {
  memory_id?: string;
}

/** Waits until the documents are searchable or have failed, and gives them in the order they were named. */
export async function waitForDocuments(
  transport: Transport,
  named: DocumentsToWaitFor,
  { memory_id, ...options }: WaitOptions,
  defaults: Record<string, unknown>,
): Promise<Document[]> {
  const list = 'documents' in named ? named.documents : named;
  const ids = list.map((one) => (typeof one === 'string' ? one : one.doc_id));
  const documents: Document[] = [];
  for (const id of ids) {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      const document = (await invoke(
        transport,
        allCalls().get('documents.get')!,
        // An undefined one would take the place of the memory that the client is bound to.
        [id, memory_id === undefined ? {} : { memory_id }, options],
        defaults,
      )) as Document;
      if (document.status === 'completed' || document.status === 'failed') {
        documents.push(document);
        break;
      }
      await sleep(pause, options.signal);
    }
  }
  return documents;
}
