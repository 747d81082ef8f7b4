import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Skeleton } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';

const route = getRouteApi('/chunks/$chunkId');

/** A chunk alone is its place in its document. */
export function ChunkScreen() {
  const { chunkId } = route.useParams();
  const memory = useMemory();
  const { data, error } = useQuery({
    queryKey: ['chunk', memory, chunkId],
    queryFn: () => cairn.chunks.get(chunkId, memory),
  });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Skeleton />;
  return <Navigate to="/documents/$docId" params={{ docId: data.doc_id }} search={{ chunk: chunkId }} replace />;
}
