/** What is shown stays while another page or filter of it is fetched, but never under the name of another memory. */
export function keepWithinMemory(key: readonly unknown[]) {
  return <Data>(shown: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query !== undefined && memoryIn(query.queryKey) === memoryIn(key) ? shown : undefined;
}

/** Keys hold the memory that was chosen among the parameters. */
function memoryIn(key: readonly unknown[]): unknown {
  for (const part of key) if (typeof part === 'object' && part !== null && 'memory_id' in part) return part.memory_id;
  return undefined;
}
