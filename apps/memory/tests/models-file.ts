import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelServer, temporaryFolder } from '@cairn/testing';

/** Writes a file for `CAIRN_MODELS_FILE`: one language model of the server, and what else the file says; returns its path. */
export async function writeModelsFile(server: ModelServer, more: Record<string, unknown>): Promise<string> {
  const file = join(await temporaryFolder('models-'), 'models.json');
  const models = {
    providers: [
      { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'model-server-key' },
    ],
    language_models: [{ name: 'small', provider: 'local' }],
    ...more,
  };
  await writeFile(file, JSON.stringify(models));
  return file;
}
