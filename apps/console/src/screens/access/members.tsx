import type { Member } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Actor } from '../actor.tsx';
import { Chip } from '../../parts/chip.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words as common } from '../../words/parts.ts';
import { words } from '../../words/access.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { type Role, useGrantableRoles } from './roles.ts';

const PAGE = 50;

/** The people of the tenant, what they may do, and who is invited. */
export function MembersScreen() {
  const { data: who } = useWhoami();
  const may = who?.credential.scopes.includes('members:write') === true;
  const query = usePages(['members'], (cursor) => cairn.members.list({ limit: PAGE, ...cursor }));
  return (
    <div className="stack">
      <h1>{words.people}</h1>
      {may && who.credential.environment === 'live' && <Invite />}
      <Panel
        title={words.people}
        query={query}
        call={{ name: 'members.list', method: 'GET', path: '/members' }}
        empty={({ pages }) => (pages[0]?.members.length === 0 ? <p>{words.noPeople}</p> : null)}
      >
        {({ pages }) => (
          <>
            <MemberTable members={pages.flatMap(({ members }) => members)} may={may} own={who?.member?.member_id} />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
      <Invitations may={may} />
    </div>
  );
}

function MemberTable({ members, may, own }: { members: readonly Member[]; may: boolean; own: string | undefined }) {
  const columns = [
    {
      name: words.name,
      cell: ({ name, email, member_id, removed_at }: Member) => (
        <>
          {name} {member_id === own && <Chip state={words.you} tone="good" />}
          {removed_at !== null && <Chip state={words.removed} tone="quiet" />}
          <div className="quiet small">{email}</div>
        </>
      ),
    },
    {
      name: words.role,
      cell: (member: Member) =>
        may && member.removed_at === null && member.member_id !== own ? <RoleChoice member={member} /> : member.role,
    },
    { name: words.invitedBy, cell: ({ invited_by }: Member) => <Actor id={invited_by} /> },
    {
      name: words.lastSignIn,
      cell: ({ last_signed_in_at }: Member) =>
        last_signed_in_at === null ? common.never : <Time at={last_signed_in_at} ago />,
    },
  ];
  const acts = {
    name: '',
    cell: (member: Member) =>
      member.removed_at === null && member.member_id !== own ? <MemberActs member={member} /> : '',
  };
  return (
    <Table
      caption={words.people}
      columns={may ? [...columns, acts] : columns}
      rows={members}
      idOf={({ member_id }) => member_id}
    />
  );
}

function RoleChoice({ member }: { member: Member }) {
  const client = useQueryClient();
  const roles = useGrantableRoles();
  const change = useMutation({
    mutationFn: (role: Role) => cairn.members.update(member.member_id, { role }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['members'] }),
  });
  return (
    <>
      <select
        aria-label={`${words.role}: ${member.name}`}
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending || !roles.includes(member.role)}
        onChange={({ target }) => change.mutate(target.value as Role)}
      >
        {(roles.includes(member.role) ? roles : [member.role]).map((role) => (
          <option key={role} value={role}>
            {words.roles[role]}
          </option>
        ))}
      </select>
      {change.error !== null && <Problem error={change.error} />}
    </>
  );
}

function MemberActs({ member }: { member: Member }) {
  const client = useQueryClient();
  const [all, setAll] = useState(false);
  const link = useMutation({ mutationFn: () => cairn.members.createTicket(member.member_id) });
  const remove = async () => {
    await cairn.members.remove(member.member_id, all ? { descendants: true } : {});
    await client.invalidateQueries({ queryKey: ['members'] });
  };
  return (
    <div className="row">
      {!member.linked && (
        <button type="button" disabled={link.isPending} onClick={() => link.mutate()}>
          {words.signInLink}
        </button>
      )}
      <ConfirmButton label={words.remove} name={member.name} act={remove}>
        <p>{words.removeWhat(member.name)}</p>
        <label>
          <input type="checkbox" checked={all} onChange={({ target }) => setAll(target.checked)} /> {words.alsoCreated}
        </label>
      </ConfirmButton>
      {link.error !== null && <Problem error={link.error} />}
      {link.data !== undefined && <SecretOnce secret={link.data.url} hint={words.signInLinkHint} />}
    </div>
  );
}
