import type { EngineDirectoryService } from '@cairn/contracts';
import type { Logger, RpcClient } from '@cairn/service-kit';
import type { EngineConnection } from './engine-runtime.ts';
import { DEFAULT_ENGINE_ID } from '../memories/memory-scope.ts';

/** Reads the connections of all engines. Throws when the directory is unavailable. */
export type ListEngines = () => Promise<EngineConnection[]>;

/** The engines that tenancy knows beside the default one, which is this service's own affair. */
export function createEngineDirectory(
  directory: RpcClient<typeof EngineDirectoryService>,
  logger: Logger,
): ListEngines {
  return async () => {
    const { engines } = await directory.listEngineConnections({});
    const usable = engines.filter((engine) => {
      if (engine.engineId === DEFAULT_ENGINE_ID) return false;
      const isUsable = isPostgresUrl(engine.url) && isPostgresUrl(engine.workerUrl);
      // Not the URL itself, nor an error that quotes it.
      if (!isUsable)
        logger.error({ engine_id: engine.engineId }, 'engine directory: an engine has no usable URLs; it is ignored');
      return isUsable;
    });
    return usable.map(({ searchUrl, ...engine }) => ({
      ...engine,
      replicaUrls: engine.replicaUrls.filter(isPostgresUrl),
      searchUrl: searchUrl === '' ? null : searchUrl,
    }));
  };
}

/** True for a URL that the driver can read; for any other its error would quote the text, password and all. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url);
}
