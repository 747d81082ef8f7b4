import { extractByRules } from './extract/extract.ts';
import type { ChunkReader } from './link-documents.ts';

/** Reads chunks by rules, without a model. */
export const ruleReader: ChunkReader = {
  name: 'rules',
  read: (chunk) => extractByRules({ titlePath: chunk.title_path, body: chunk.body }),
};
