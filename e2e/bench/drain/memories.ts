import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, seededRandom } from '@cairn/testing';
import { api } from '../../tests/api.ts';

export interface Tenant {
  baseUrl: string;
  apiKey: string;
}

const DOCUMENT_BYTES = 16_384;
/** A memory has 2^0 to 2^5 documents, as many memories of each. */
const LARGEST_POWER = 5;
const FILLED_WITHIN_MS = 900_000;
const WRITE_EVERY_MS = 250;
const WORDS_A_LINE = 12;

/** Makes memories of varied size and returns their ids when every document is completed. */
export async function fillMemories(tenant: Tenant, count: number): Promise<string[]> {
  const random = seededRandom(1);
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body } = await call(tenant, 'POST', '/memories', { display_name: `Memory ${n}` });
    made.push(body.memory_id);
  }
  for (const [n, memory_id] of made.entries())
    for (let left = 2 ** (n % (LARGEST_POWER + 1)); left > 0; left -= 1) {
      const written = await call(tenant, 'POST', '/memory/documents', { content: text(random), memory_id });
      if (written.status !== 202) throw new Error(`a document was not accepted: ${written.status}`);
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

/** Lines of numbers and words that name nothing, so that little of it is read for the graph. */
function text(random: () => number): string {
  let written = '';
  while (written.length < DOCUMENT_BYTES)
    written += `${Array.from({ length: WORDS_A_LINE }, () => Math.floor(random() * 1e6).toString(36)).join(' ')}\n`;
  return written.slice(0, DOCUMENT_BYTES);
}

function call({ baseUrl, apiKey }: Tenant, method: string, path: string, body?: unknown) {
  return api(baseUrl, apiKey, method, `/api/v1${path}`, body);
}
