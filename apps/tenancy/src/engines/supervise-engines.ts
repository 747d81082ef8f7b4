import type { Logger, Running } from '@cairn/service-kit';
import { type EngineRow, findEngine, listEngineRows } from '../stores/engine-store.ts';
import type { EngineProvisioner } from './engine-provisioner.ts';
import { locationOf } from './engine-secret.ts';
import { activateEngine, type EngineDeps } from './prepare-engine.ts';

const CHECK_EVERY_MS = 3_000;

type SuperviseDeps = EngineDeps & { provisioner: EngineProvisioner; logger: Logger };

/**
 * Keeps the servers of dedicated memories running: one that is down is started again, and when it comes back on another
 * port, its new address is stored. Each is prepared once after a start of this service, which applies the migrations of
 * a new version and replaces the password that the roles of early versions shared by one for each.
 */
export function superviseEngines(deps: SuperviseDeps): Running {
  let closed = false;
  let wake: (() => void) | null = null;
  const prepared = new Set<string>();
  const loop = (async () => {
    while (!closed) {
      await checkAll(deps, prepared).catch((error: unknown) => {
        if (!closed)
          deps.logger.warn({ err: error }, 'engine supervisor: listing engines failed; retrying at the next check');
      });
      if (closed) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CHECK_EVERY_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    async close() {
      closed = true;
      wake?.();
      await loop;
    },
  };
}

async function checkAll(deps: SuperviseDeps, prepared: Set<string>): Promise<void> {
  const engines = await deps.workerDatabase.transaction(listEngineRows);
  const dedicated = engines.filter((engine) => engine.kind === 'dedicated' && engine.status === 'active');
  await Promise.all(
    dedicated.map(async (engine) => {
      try {
        await ensureRunning(deps, prepared, engine);
      } catch (error) {
        deps.logger.warn(
          { err: error, engine_id: engine.engine_id },
          'engine supervisor: starting or preparing an engine failed; retrying at the next check',
        );
      }
    }),
  );
}

async function ensureRunning(deps: SuperviseDeps, prepared: Set<string>, engine: EngineRow): Promise<void> {
  const engineId = engine.engine_id;
  const server = await deps.provisioner.ensure(engineId);
  const url = new URL(server.adminUrl);
  url.pathname = `/${server.database}`;
  if (locationOf(url.href) === engine.location && prepared.has(engineId)) return;
  const moved = await activateEngine(deps, engineId, server);
  if ((await deps.workerDatabase.transaction((tx) => findEngine(tx, engineId))) === null) {
    // Its memory was deleted meanwhile, and the preparation may have created what was removed.
    await deps.provisioner.remove(engineId);
    return;
  }
  prepared.add(engineId);
  if (moved) deps.logger.info({ engine_id: engineId }, 'engine supervisor: the address of an engine changed');
}
