import type { EventBus } from './connection.ts';
import { DEAD_LETTER_STREAM, EVENT_STREAM } from './streams.ts';

/** A stream as the broker has it. */
export interface StreamState {
  name: string;
  /** Copies that are wanted, and those that are up to date; one on a single server. */
  replicas: number;
  replicasCurrent: number;
  messages: number;
  bytes: number;
  consumers: { durable: string; pending: number }[];
}

/** The streams of the events, or null for one that does not exist. Needs a user with all permissions; changes nothing. */
export async function inspectStreams({ manager }: EventBus): Promise<Record<string, StreamState | null>> {
  const states = [EVENT_STREAM, DEAD_LETTER_STREAM].map(async (name) => {
    const info = await manager.streams.info(name).catch(() => null);
    if (info === null) return [name, null] as const;
    const consumers = await manager.consumers.list(name).next();
    const state: StreamState = {
      name,
      replicas: info.config.num_replicas,
      // Without a cluster there is one copy, and it is current.
      replicasCurrent: info.cluster === undefined ? 1 : 1 + (info.cluster.replicas ?? []).filter(isCurrent).length,
      messages: info.state.messages,
      bytes: info.state.bytes,
      consumers: consumers.map(({ name: durable, num_pending }) => ({ durable, pending: num_pending })),
    };
    return [name, state] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

function isCurrent({ current, offline }: { current: boolean; offline?: boolean }): boolean {
  return current && offline !== true;
}
