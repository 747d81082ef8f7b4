import { createHash } from 'node:crypto';
import { addStatements } from '../extract/add-statements.ts';
import { extractByRules, type Extraction } from '../extract/extract.ts';
import type { ChunkReading } from '../model-reading/reading-store.ts';
import type { LinkedChunk } from '../store/linked-chunk.ts';

/** Extracts names and statements from a chunk. The name is part of the digest: under another one a chunk is extracted again. */
export interface ChunkExtractor {
  nameFor(chunk: LinkedChunk): string;
  extract(chunk: LinkedChunk): Extraction;
}

/** Reads chunks by rules, without a model. */
export const ruleExtractor: ChunkExtractor = {
  nameFor: () => 'rules',
  extract: (chunk) => extractByRules({ titlePath: chunk.title_path, body: chunk.body }),
};

/** Reads by rules and adds what a model said of the chunk, where it was asked. */
export function extractorWith(readings: readonly ChunkReading[]): ChunkExtractor {
  const byChunk = new Map(readings.map((reading) => [reading.chunk_id, reading.statements]));
  return {
    nameFor(chunk) {
      const statements = byChunk.get(chunk.chunk_id);
      if (statements === undefined || statements.length === 0) return ruleExtractor.nameFor(chunk);
      return `rules and ${createHash('sha256').update(JSON.stringify(statements)).digest('hex')}`;
    },
    extract: (chunk) => addStatements(ruleExtractor.extract(chunk), byChunk.get(chunk.chunk_id) ?? []),
  };
}
