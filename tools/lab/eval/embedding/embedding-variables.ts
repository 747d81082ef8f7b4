import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@cairn/testing';

/** Of all-MiniLM-L6-v2, which `server.py` serves. */
const DIMENSIONS = 384;
/** A small model on a busy processor. */
const TIMEOUT_MS = 60_000;
/** Few enough that a call ends in time. */
const BATCH_MAX = 16;

/** What an installation needs to search by meaning with the model behind a base URL; nothing without one. */
export async function embeddingVariables(baseUrl: string | undefined): Promise<Record<string, string>> {
  if (baseUrl === undefined) return {};
  const file = join(await temporaryFolder('cairn-eval-models-'), 'models.json');
  const models = {
    providers: [{ name: 'local', protocol: 'openai-compatible', base_url: baseUrl, api_key: 'none' }],
    embedding: { provider: 'local', model: 'all-MiniLM-L6-v2', dimensions: DIMENSIONS, batch_max: BATCH_MAX },
  };
  await writeFile(file, JSON.stringify(models));
  return {
    CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
    CAIRN_MODELS_FILE: file,
    CAIRN_EMBEDDING_TIMEOUT_MS: String(TIMEOUT_MS),
  };
}
