import type { Logger, Running } from '@cairn/service-kit';
import type { EngineProvisioner } from './engine-provisioner.ts';
import { listEngineRows } from './engine-store.ts';
import { locationOf } from './engine-secret.ts';
import { activateEngine, type EngineParts, ENGINE_DATABASE } from './set-up-engine.ts';

const WATCH_EVERY_MS = 3_000;

/**
 * Keeps the servers of dedicated memories running: at start and after one died it is started again, and when it came
 * back on another port, everybody is told. Each is set up once after a start of this service, which applies the
 * migrations of a new version and gives roles of earlier versions, which shared a password, one of their own.
 */
export function watchEngines(parts: EngineParts & { provisioner: EngineProvisioner; logger: Logger }): Running {
  let closed = false;
  let wake: (() => void) | null = null;
  const upToDate = new Set<string>();
  const loop = (async () => {
    while (!closed) {
      await lookAfterAll(parts, upToDate).catch((error: unknown) => {
        if (!closed) parts.logger.warn({ err: error }, 'engines cannot be looked after');
      });
      if (closed) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WATCH_EVERY_MS);
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

async function lookAfterAll(
  parts: EngineParts & { provisioner: EngineProvisioner; logger: Logger },
  upToDate: Set<string>,
): Promise<void> {
  const engines = await parts.workerDatabase.transaction(listEngineRows);
  const dedicated = engines.filter((engine) => engine.kind === 'dedicated' && engine.status === 'active');
  await Promise.all(
    dedicated.map(async (engine) => {
      try {
        const { adminUrl } = await parts.provisioner.ensure(engine.engine_id);
        const url = new URL(adminUrl);
        url.pathname = `/${ENGINE_DATABASE}`;
        if (locationOf(url.href) === engine.location && upToDate.has(engine.engine_id)) return;
        const changed = await activateEngine(parts, engine.engine_id, { adminUrl, database: ENGINE_DATABASE });
        upToDate.add(engine.engine_id);
        if (changed) parts.logger.info({ engine_id: engine.engine_id }, 'how to reach an engine has changed');
      } catch (error) {
        parts.logger.warn({ err: error, engine_id: engine.engine_id }, 'an engine cannot be kept running');
      }
    }),
  );
}
