import type { Invitation } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { Actor } from '../actor.tsx';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/access.ts';

const PAGE = 50;

export function Invitations({ may }: { may: boolean }) {
  const query = usePages(['invitations'], (cursor) => cairn.invitations.list({ limit: PAGE, ...cursor }));
  const columns = [
    { name: words.email, cell: ({ email }: Invitation) => email },
    { name: words.role, cell: ({ role }: Invitation) => role },
    {
      name: words.state,
      cell: ({ status }: Invitation) => <Chip state={status} tone={status === 'open' ? 'good' : 'quiet'} />,
    },
    { name: words.invitedBy, cell: ({ invited_by }: Invitation) => <Actor id={invited_by} /> },
    { name: words.ends, cell: ({ expires_at }: Invitation) => <Time at={expires_at} /> },
    { name: '', cell: (one: Invitation) => (may && one.status === 'open' ? <RevokeInvitation one={one} /> : '') },
  ];
  return (
    <Panel
      title={words.invitations}
      query={query}
      call={{ name: 'invitations.list', method: 'GET', path: '/invitations' }}
      empty={({ pages }) => (pages[0]?.invitations.length === 0 ? <p>{words.noInvitations}</p> : null)}
    >
      {({ pages }) => (
        <>
          <Table
            caption={words.invitations}
            columns={columns}
            rows={pages.flatMap(({ invitations }) => invitations)}
            idOf={({ invitation_id }) => invitation_id}
          />
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}

function RevokeInvitation({ one }: { one: Invitation }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => cairn.invitations.revoke(one.invitation_id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  return (
    <>
      <button type="button" className="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        {words.revoke}
      </button>
      {revoke.error !== null && <Problem error={revoke.error} />}
    </>
  );
}
