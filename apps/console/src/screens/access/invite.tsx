import type { CreateInvitationRequest } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { words } from '../../words/access.ts';
import { type Role, useGrantableRoles } from './roles.ts';

export function Invite() {
  const client = useQueryClient();
  const roles = useGrantableRoles();
  const invite = useMutation({
    mutationFn: (request: CreateInvitationRequest) => cairn.invitations.create(request),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: String(form.get('email')).trim(), role: form.get('role') as Role });
  };
  return (
    <form className="panel stack" onSubmit={submit}>
      <div className="row">
        <label className="grow">
          {words.invite}
          <input name="email" type="email" required placeholder={words.email} autoComplete="off" />
        </label>
        <label>
          {words.role}
          <select name="role">
            {roles.map((role) => (
              <option key={role} value={role}>
                {words.roles[role]}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="primary" disabled={invite.isPending}>
          {words.inviteNow}
        </button>
      </div>
      {invite.error !== null && <Problem error={invite.error} />}
      {invite.data?.url !== undefined && <SecretOnce secret={invite.data.url} hint={words.inviteLink} />}
    </form>
  );
}
