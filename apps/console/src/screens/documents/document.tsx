import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/documents.ts';
import { AboutDocument } from './about-document.tsx';
import { DocumentText } from './document-text.tsx';
import { isShown, OriginalText } from './original-text.tsx';

const route = getRouteApi('/documents/$docId');
const UNSETTLED_MS = 1_500;

export function DocumentScreen() {
  const { docId } = route.useParams();
  const memory = useMemory();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: who } = useWhoami();
  const query = useQuery({
    queryKey: ['documents', 'one', memory, docId],
    queryFn: () => cairn.documents.get(docId, memory),
    refetchInterval: ({ state }) =>
      state.data === undefined || ['completed', 'failed'].includes(state.data.status) ? false : UNSETTLED_MS,
  });
  const remove = async () => {
    await cairn.documents.delete(docId, memory);
    await client.invalidateQueries({ queryKey: ['documents'] });
    await navigate({ to: '/documents' });
  };
  const document = query.data;
  return (
    <div className="stack">
      <div className="title">
        <h1>{document?.title ?? words.document}</h1>
        {document !== undefined && <Chip state={document.status} />}
      </div>
      <div className="columns">
        <DocumentText docId={docId} status={document?.status} />
        <Panel
          title={words.about}
          query={query}
          call={{
            name: 'documents.get',
            method: 'GET',
            path: `/memory/documents/${docId}`,
            ids: [docId],
            query: memory,
          }}
          actions={
            document !== undefined &&
            who?.credential.scopes.includes('documents:write') === true && (
              <ConfirmButton label={words.delete} name={document.title} act={remove}>
                {words.deleteWhat(document.title)}
              </ConfirmButton>
            )
          }
        >
          {(one) => <AboutDocument document={one} />}
        </Panel>
      </div>
      {document !== undefined && isShown(document) && <OriginalText document={document} />}
    </div>
  );
}
