import type { Database } from '@cairn/postgres';

/**
 * Adds a vector column and an HNSW index where PostgreSQL has pgvector, as the owner of the schema. Does nothing
 * where it has not, or where the owner may not install it. May be repeated; one index a model.
 */
export async function createVectorIndex(
  owner: Pick<Database, 'transaction'>,
  schema: string,
  model: { name: string; dimensions: number },
): Promise<boolean> {
  const installed = await owner
    .transaction(async (tx) => {
      const offered = await tx.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
      if (offered.length === 0) return false;
      await tx.execute(`CREATE EXTENSION IF NOT EXISTS vector SCHEMA "${schema}"`);
      return true;
    })
    .catch(() => false);
  if (!installed) return false;
  const { dimensions } = model;
  await owner.transaction(async (tx) => {
    await tx.execute(`SET LOCAL search_path TO "${schema}"`);
    await tx.execute('ALTER TABLE chunk_embeddings ADD COLUMN IF NOT EXISTS embedding vector');
    // Vectors from before that; the background fills the column. Empty most of the time.
    await tx.execute(
      `CREATE INDEX IF NOT EXISTS chunk_embeddings_unconverted ON chunk_embeddings (tenant_id, memory_id, model)
         WHERE embedding IS NULL`,
    );
    const literal = `'${model.name.replaceAll("'", "''")}'`;
    const name = `chunk_embeddings_hnsw_${dimensions}_${Buffer.from(model.name).toString('hex').slice(0, 24)}`;
    await tx.execute(
      `CREATE INDEX IF NOT EXISTS ${name} ON chunk_embeddings
         USING hnsw ((embedding::vector(${dimensions})) vector_cosine_ops) WHERE model = ${literal}`,
    );
  });
  return true;
}
