import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { after } from '../../app/after.ts';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/searches.ts';

/** Whether searches of the chosen memory are kept; without a choice, of the tenant's first. */
export function SearchLogSetting() {
  const chosen = useMemory().memory_id;
  const { data: who } = useWhoami();
  const client = useQueryClient();
  const first = useQuery({
    queryKey: ['memories', 'first'],
    queryFn: async () => (await cairn.memories.list({ limit: 1 })).memories[0]?.memory_id ?? null,
    enabled: chosen === undefined,
  });
  const id = chosen ?? first.data ?? undefined;
  const key = ['search-log', id];
  const query = useQuery({ queryKey: key, queryFn: () => cairn.memories.searchLog(id!), enabled: id !== undefined });
  const change = useMutation({
    mutationFn: (enabled: boolean) => cairn.memories.updateSearchLog(id!, { enabled }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
  if (who?.credential.memory_id != null || first.data === null) return null;
  const may = who?.credential.scopes.includes('memories:write') === true;
  return (
    <Panel
      title={words.keeping}
      query={after(first, query)}
      call={{
        name: 'memories.searchLog',
        method: 'GET',
        path: `/memories/${id ?? ''}/search-log`,
        ids: [id ?? ''],
      }}
    >
      {({ enabled, keep_days }) => (
        <div className="row">
          <p>{enabled ? words.kept(keep_days) : words.notKept}</p>
          {may && (
            <button type="button" disabled={change.isPending} onClick={() => change.mutate(!enabled)}>
              {enabled ? words.stop : words.keep}
            </button>
          )}
          {change.error !== null && <Problem error={change.error} />}
        </div>
      )}
    </Panel>
  );
}
