import { access, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePostgresData, type EmbeddedPostgres, startPostgres, stopPostgres } from '@cairn/embedded';
import type { Logger } from '@cairn/service-kit';
import { ENGINE_DATABASE, type EngineProvisioner } from './engine-provisioner.ts';

/** Small: there is one of these for each dedicated memory. */
const SETTINGS = { shared_buffers: '32MB', max_connections: '60' };
const ENGINE_ID = /^eng_[1-9A-HJ-NP-Za-km-z]+$/;

/** Starts a second postmaster for each engine with the launcher of the embedded defaults, below one folder. */
export function createEmbeddedProvisioner(folder: string, logger: Logger): EngineProvisioner {
  const running = new Map<string, Promise<EmbeddedPostgres>>();
  const folderOf = (engineId: string) => {
    if (!ENGINE_ID.test(engineId)) throw new Error(`${engineId} is not an engine id`);
    return join(folder, engineId);
  };
  // Engine ids are never reused, so that a removal marker is final and a late `ensure` respects it.
  const markerOf = (engineId: string) => `${folderOf(engineId)}.removed`;
  const isRemoved = (engineId: string) =>
    access(markerOf(engineId)).then(
      () => true,
      () => false,
    );
  const stopAndDelete = async (engineId: string) => {
    const dataDir = await realpath(folderOf(engineId)).catch(() => null);
    if (dataDir === null) return;
    await stopPostgres({ dataDir, mode: 'immediate' });
    await deletePostgresData({ dataDir });
  };
  const start = async (engineId: string) => {
    await mkdir(folder, { recursive: true });
    if (await isRemoved(engineId)) throw new Error(`the engine ${engineId} was removed`);
    const server = await startPostgres({
      dataDir: folderOf(engineId),
      settings: SETTINGS,
      log: (line) => logger.info({ engine_id: engineId }, `embedded engine: ${line}`),
    });
    void server.exited.then(() => running.delete(engineId));
    if (await isRemoved(engineId)) {
      await stopAndDelete(engineId);
      throw new Error(`the engine ${engineId} was removed`);
    }
    return server;
  };
  return {
    async ensure(engineId) {
      const started = running.get(engineId) ?? start(engineId);
      running.set(engineId, started);
      try {
        return { adminUrl: (await started).superuserUrl, database: ENGINE_DATABASE };
      } catch (error) {
        running.delete(engineId);
        throw error;
      }
    },
    async remove(engineId) {
      await mkdir(folder, { recursive: true });
      await writeFile(markerOf(engineId), '');
      running.delete(engineId);
      await stopAndDelete(engineId);
    },
  };
}
