import { DEAD_LETTER_SUBJECT_ROOT, EVENT_SUBJECT_ROOT } from '@cairn/contracts';
import { type JetStreamManager, nanos, NatsError, RetentionPolicy, StorageType } from 'nats';

export const EVENT_STREAM = 'CAIRN_EVENTS';
export const DEAD_LETTER_STREAM = 'CAIRN_DEAD';
const EVENT_KEEP_DAYS = 14;
const DEAD_LETTER_KEEP_DAYS = 30;
const DEDUPLICATION_WINDOW_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Makes sure that the event stream and the dead-letter stream exist and are configured as this version wants. */
export async function ensureStreams(manager: JetStreamManager, replicas: number): Promise<void> {
  const common = { storage: StorageType.File, retention: RetentionPolicy.Limits, num_replicas: replicas };
  await ensureStream(manager, {
    ...common,
    name: EVENT_STREAM,
    subjects: [`${EVENT_SUBJECT_ROOT}.>`],
    max_age: nanos(EVENT_KEEP_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
  await ensureStream(manager, {
    ...common,
    name: DEAD_LETTER_STREAM,
    subjects: [`${DEAD_LETTER_SUBJECT_ROOT}.>`],
    max_age: nanos(DEAD_LETTER_KEEP_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
}

type StreamSettings = Parameters<JetStreamManager['streams']['add']>[0] & { name: string };

async function ensureStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const existing = await manager.streams.info(settings.name).catch(nullWhenMissing);
  // `add` with the same settings is a no-op, so two parts that start together do not collide.
  if (existing === null) await manager.streams.add(settings);
  else
    await manager.streams.update(settings.name, {
      ...settings,
      // An operator may have raised it; a service that was told less must not take replicas away.
      num_replicas: Math.max(settings.num_replicas ?? 1, existing.config.num_replicas),
    });
}

const STREAM_NOT_FOUND = 10_059;

/** During an election the answer is missing, which must not be taken for a missing stream. */
function nullWhenMissing(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND) return null;
  throw error;
}
