import { startLoop } from '@cairn/background';
import type { MemoryMoveService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { Logger, RpcClient, Running } from '@cairn/service-kit';
import { storeEngineUse, listEnginesToMeasure } from '../stores/engine-store.ts';

const CHECK_EVERY_MS = 10_000;
/** Each engine so often, by whichever replica comes first. */
const MEASURE_EVERY_MS = 30_000;
const CALL_TIMEOUT_MS = 5_000;

interface MeasureDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  memoryMoves: RpcClient<typeof MemoryMoveService>;
  logger: Logger;
}

/** Keeps what each shared engine holds and does, for placing new memories. One that does not answer keeps its last figures. */
export function measureEngines(deps: MeasureDeps): Running {
  return startLoop({
    work: async () => {
      const engines = await deps.workerDatabase.transaction((tx) => listEnginesToMeasure(tx, MEASURE_EVERY_MS));
      for (const engineId of engines) await measure(deps, engineId);
      return false;
    },
    pollMs: CHECK_EVERY_MS,
    onError: (error) =>
      deps.logger.warn({ err: error }, 'engine measuring: listing engines failed; retrying at the next check'),
    backoffMs: CHECK_EVERY_MS,
    backoffMaxMs: CHECK_EVERY_MS,
  });
}

async function measure({ workerDatabase, memoryMoves, logger }: MeasureDeps, engineId: string): Promise<void> {
  try {
    const load = await memoryMoves.getEngineLoad({ engineId }, { timeoutMs: CALL_TIMEOUT_MS });
    await workerDatabase.transaction((tx) => storeEngineUse(tx, engineId, load));
  } catch (error) {
    logger.debug({ err: error, engine_id: engineId }, 'engine measuring: an engine did not answer');
  }
}
