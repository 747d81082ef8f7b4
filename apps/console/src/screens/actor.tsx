import { useMemberNames } from '../app/member-names.ts';

/** Who did something: a member by name, a key or an OAuth client by its id. */
export function Actor({ id }: { id: string }) {
  const name = useMemberNames().get(id);
  return name === undefined ? <code>{id}</code> : <span title={id}>{name}</span>;
}
