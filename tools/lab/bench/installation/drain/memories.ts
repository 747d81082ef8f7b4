import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, seededRandom } from '@cairn/testing';
import { api } from '../../../../../e2e/tests/api.ts';

export interface Tenant {
  baseUrl: string;
  apiKey: string;
}

const DOCUMENT_BYTES = 16_384;
/** A memory has 2^0 to 2^4 documents, as many memories of each. */
const LARGEST_POWER = 4;
const FILLED_WITHIN_MS = 900_000;
const WRITE_EVERY_MS = 250;
/** Few and long: what is moved is bytes, and reading words takes time. */
const WORD_CHARS = 50;
const WORDS_A_LINE = 6;

/** Makes memories of varied size and returns their ids when every document is completed. */
export async function fillMemories(tenant: Tenant, count: number): Promise<string[]> {
  const random = seededRandom(1);
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await call(tenant, 'POST', '/memories', { display_name: `Memory ${n}` });
    made.push(body.memory_id);
  }
  for (const [n, memory_id] of made.entries()) {
    const length = 2 ** (n % (LARGEST_POWER + 1));
    const documents = Array.from({ length }, () => ({ content: text(random) }));
    const written = await call(tenant, 'POST', '/memory/documents', { documents, memory_id });
    if (written.status !== 202) throw new Error(`documents were not accepted: ${written.status}`);
  }
  for (const memory_id of made)
    await eventually(
      async () => (await call(tenant, 'GET', `/memory/documents?memory_id=${memory_id}&limit=200`)).body.documents,
      (documents) =>
        documents.length > 0 && documents.every(({ status }: { status: string }) => status === 'completed'),
      FILLED_WITHIN_MS,
    );
  return made;
}

/** Writes a document to one memory after the other. */
export function startWriter(
  tenant: Tenant,
  memories: readonly string[],
): { stop(): Promise<{ acknowledged: string[]; refused: number }> } {
  let going = true;
  const acknowledged: string[] = [];
  let refused = 0;
  const writing = (async () => {
    for (let n = 0; going; n += 1) {
      const memory_id = memories[n % memories.length]!;
      const note = { content: `Note ${n} of ${memory_id}.`, memory_id };
      const answer = await call(tenant, 'POST', '/memory/documents', note).catch(() => null);
      if (answer?.status === 202) acknowledged.push(answer.body.documents[0].doc_id);
      else refused += 1;
      await sleep(WRITE_EVERY_MS);
    }
  })();
  return {
    async stop() {
      going = false;
      await writing;
      return { acknowledged, refused };
    },
  };
}

/** Lines of words that name nothing, so that little of it is read for the graph. */
function text(random: () => number): string {
  const word = () => {
    let written = '';
    while (written.length < WORD_CHARS) written += Math.floor(random() * 1e9).toString(36);
    return written.slice(0, WORD_CHARS);
  };
  let written = '';
  while (written.length < DOCUMENT_BYTES) written += `${Array.from({ length: WORDS_A_LINE }, word).join(' ')}\n`;
  return written.slice(0, DOCUMENT_BYTES);
}

function call({ baseUrl, apiKey }: Tenant, method: string, path: string, body?: unknown) {
  return api(baseUrl, apiKey, method, `/api/v1${path}`, body);
}
