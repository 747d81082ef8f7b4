import { useSearch } from '@tanstack/react-router';

/** The memory that was chosen in the header; without one the API takes the credential's own or the tenant's first. */
export function useMemory(): { memory_id?: string } {
  const { memory } = useSearch({ from: '__root__' });
  return memory === undefined ? {} : { memory_id: memory };
}
