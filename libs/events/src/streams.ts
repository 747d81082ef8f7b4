import { DEAD_LETTER_SUBJECT_ROOT, EVENT_SUBJECT_ROOT, JOURNAL_SUBJECT_ROOT } from '@cairn/contracts';
import { type JetStreamManager, nanos, NatsError, RetentionPolicy, StorageType, type StreamInfo } from 'nats';

export const EVENT_STREAM = 'CAIRN_EVENTS';
export const DEAD_LETTER_STREAM = 'CAIRN_DEAD';
/** Decisions that a restored database must apply again. */
export const JOURNAL_STREAM = 'CAIRN_JOURNAL';
const EVENT_RETENTION_DAYS = 14;
const DEAD_LETTER_RETENTION_DAYS = 30;
/** Longer than backups are kept. */
const JOURNAL_RETENTION_DAYS = 400;
const DEDUPLICATION_WINDOW_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Makes sure that the streams of events, dead letters and the journal exist and are configured as this version wants. */
export async function ensureStreams(manager: JetStreamManager, replicas: number): Promise<void> {
  const common = { storage: StorageType.File, retention: RetentionPolicy.Limits, num_replicas: replicas };
  await ensureStream(manager, {
    ...common,
    name: EVENT_STREAM,
    subjects: [`${EVENT_SUBJECT_ROOT}.>`],
    max_age: nanos(EVENT_RETENTION_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
  await ensureStream(manager, {
    ...common,
    name: DEAD_LETTER_STREAM,
    subjects: [`${DEAD_LETTER_SUBJECT_ROOT}.>`],
    max_age: nanos(DEAD_LETTER_RETENTION_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
  await ensureStream(manager, {
    ...common,
    name: JOURNAL_STREAM,
    subjects: [`${JOURNAL_SUBJECT_ROOT}.>`],
    max_age: nanos(JOURNAL_RETENTION_DAYS * DAY_MS),
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  });
}

type StreamSettings = Parameters<JetStreamManager['streams']['add']>[0] & { name: string };

async function ensureStream(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  const existing =
    (await manager.streams.info(settings.name).catch(nullWhenMissing)) ?? (await addStream(manager, settings));
  if (existing === null) return;
  await manager.streams.update(settings.name, {
    ...settings,
    // An operator may have raised it; a service that was configured with fewer must not take replicas away.
    num_replicas: Math.max(settings.num_replicas ?? 1, existing.config.num_replicas),
  });
}

/**
 * Null once it has been added. Of two parts that add one stream at the same moment nats-server answers one with the
 * stream or, between two of its locks, with an overlap of the stream with itself: then the stream that is there now.
 */
async function addStream(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo | null> {
  try {
    await manager.streams.add(settings);
    return null;
  } catch (error) {
    const existing = isApiError(error, SUBJECTS_OVERLAP)
      ? await manager.streams.info(settings.name).catch(nullWhenMissing)
      : null;
    if (existing === null) throw error;
    return existing;
  }
}

const STREAM_NOT_FOUND = 10_059;
const SUBJECTS_OVERLAP = 10_065;

/** During an election the answer is missing, which must not be taken for a missing stream. */
function nullWhenMissing(error: unknown): null {
  if (isApiError(error, STREAM_NOT_FOUND)) return null;
  throw error;
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof NatsError && error.api_error?.err_code === code;
}
