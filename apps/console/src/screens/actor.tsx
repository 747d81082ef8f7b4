import { useActorName } from '../app/actor-name.ts';

/** Who did something: a member or a key in use by name, anything else by its id. */
export function Actor({ id }: { id: string }) {
  const name = useActorName(id);
  return name === undefined ? <code>{id}</code> : <span title={id}>{name}</span>;
}
