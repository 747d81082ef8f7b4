import { type Contexts, readContexts, writeContexts } from './contexts.ts';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';
import { show, showRows } from './show.ts';

const PREFIX_CHARS = 12;

/** The contexts, of each key its beginning only. */
export async function listContexts(session: Session): Promise<void> {
  const { current, contexts } = await readContexts(session.places.contextsFile);
  const rows = Object.entries(contexts).map(([name, { base_url, api_key, memory_id }]) => ({
    name,
    current: name === current,
    base_url,
    key: `${api_key.slice(0, PREFIX_CHARS)}…`,
    memory_id,
  }));
  showRows(session, rows, ['name', 'current', 'base_url', 'key', 'memory_id']);
}

export async function useContext(session: Session, name: string): Promise<void> {
  const found = await contextsWith(session, name);
  await writeContexts(session.places.contextsFile, { ...found, current: name });
  show(session, { context: name }, () => [`${name} is the current context.`]);
}

export async function removeContext(session: Session, name: string): Promise<void> {
  const { current, contexts } = await contextsWith(session, name);
  const { [name]: _removed, ...kept } = contexts;
  await writeContexts(session.places.contextsFile, { current: current === name ? null : current, contexts: kept });
  show(session, { removed: name }, () => [`${name} is forgotten. Its key stays valid until it is revoked.`]);
}

async function contextsWith({ places }: Session, name: string): Promise<Contexts> {
  const found = await readContexts(places.contextsFile);
  if (!Object.hasOwn(found.contexts, name))
    throw new UsageError(`There is no context “${name}”. “cairn context list” shows those there are.`);
  return found;
}
