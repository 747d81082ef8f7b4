import { createHash } from 'node:crypto';
import { addStatements } from './extract/add-statements.ts';
import { extractByRules } from './extract/extract.ts';
import type { ChunkReader } from './link-documents.ts';
import type { ChunkReading } from './model-reading/reading-store.ts';

/** Reads chunks by rules, without a model. */
export const ruleReader: ChunkReader = {
  nameFor: () => 'rules',
  read: (chunk) => extractByRules({ titlePath: chunk.title_path, body: chunk.body }),
};

/** Reads by rules and adds what a model said of the chunk, where it was asked. */
export function readerWith(readings: readonly ChunkReading[]): ChunkReader {
  const byChunk = new Map(readings.map((reading) => [reading.chunk_id, reading.statements]));
  return {
    nameFor(chunk) {
      const statements = byChunk.get(chunk.chunk_id);
      if (statements === undefined || statements.length === 0) return ruleReader.nameFor(chunk);
      return `rules and ${createHash('sha256').update(JSON.stringify(statements)).digest('hex')}`;
    },
    read: (chunk) => addStatements(ruleReader.read(chunk), byChunk.get(chunk.chunk_id) ?? []),
  };
}
