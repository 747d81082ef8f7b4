import type { ModelsConfig } from '@cairn/llm';

interface EmbeddingModel {
  name: string;
  dimensions: number;
}

/** Vectors are named by provider and model; those of another are not comparable. Null when none is configured. */
export function embeddingModelOf({ embedding }: ModelsConfig): EmbeddingModel | null {
  if (embedding === undefined) return null;
  return { name: `${embedding.provider}/${embedding.model}`, dimensions: embedding.dimensions };
}
