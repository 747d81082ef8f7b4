import { CairnError, notFound } from '@cairn/errors';
import type { Logger, Running } from '@cairn/service-kit';
import { type ClosedVaults, SUSPENDED, type UsedScope, whileOpen, whileReadable } from '../erasure/closed-scopes.ts';
import type { TargetMemory } from '../memory-lookup.ts';
import { isUnavailable } from './away.ts';
import type { ListEngines } from './engine-directory.ts';
import type { EngineConnection, EngineParts, EngineRuntime } from './engine-runtime.ts';
import { DEFAULT_ENGINE_ID, type Engines } from './engines.ts';

export interface EnginePool extends Engines, Running {
  /** Runs `work` with one engine as a whole; `unavailable` when it is not known. For erasing, not for requests. */
  onEngine<T>(engineId: string, work: (engine: EngineParts) => Promise<T>): Promise<T>;
}

export interface EnginePoolOptions {
  defaultEngine: EngineRuntime;
  listEngines: ListEngines;
  start: (connection: EngineConnection) => EngineRuntime;
  /** How often the directory is asked for what is new, gone or moved. */
  pollMs: number;
  /** Called after each look, for what is done now and then. */
  onPoll: () => void;
  logger: Logger;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Every engine that the directory names, started when it is first seen, replaced when it moves, closed when it is
 * gone; requests in flight end on the connections they began with. A directory that cannot be asked changes
 * nothing, and the default engine needs none.
 */
export function startEnginePool(options: EnginePoolOptions): EnginePool {
  const roster = new EngineRoster(options);
  const poll = startPolling(() => roster.refresh().finally(options.onPoll), options.pollMs);
  const onEngine: EnginePool['onEngine'] = async (engineId, work) => (await roster.find(engineId)).use(work);
  const onMemory: EnginePool['onEngine'] = async (engineId, work) => {
    try {
      return await onEngine(engineId, work);
    } catch (error) {
      if (isUnavailable(error) && (await roster.isGone(engineId))) throw notFound('The memory');
      throw error;
    }
  };
  return {
    onEngine,
    async read(memory, work) {
      const answer = await onMemory(memory.engineId, ({ database, index }) =>
        whileReadable(database, usedScopeOf(memory), async (tx, closedVaults) => {
          assertUsable(memory, closedVaults);
          return { is: await work({ tx, index, closedVaults }) };
        }),
      );
      if (answer === null) throw notFound('The memory');
      return answer.is;
    },
    async write(memory, work) {
      const answer = await onMemory(memory.engineId, ({ database, index }) =>
        whileOpen(database, usedScopeOf(memory), async (tx, closedVaults) => {
          assertUsable(memory, closedVaults);
          return { is: await work({ tx, index, closedVaults }) };
        }),
      );
      if (answer === null) throw notFound('The memory');
      return answer.is;
    },
    readTenant: (engineId, tenantId, work) =>
      onEngine(engineId, ({ database }) => database.withTenant(tenantId, work, { mode: 'snapshot' })),
    async close() {
      await poll.close();
      await roster.close();
    },
  };
}

function usedScopeOf(memory: TargetMemory): UsedScope {
  const { tenantId, memoryId, spaceId, vaultId } = memory;
  return { tenantId, memoryId, usedVaultId: spaceId === null ? undefined : vaultId };
}

/** What was looked up a moment ago may have been closed or suspended since. */
function assertUsable({ spaceId, vaultId }: TargetMemory, closedVaults: ClosedVaults): void {
  if (closedVaults.has(SUSPENDED)) throw new CairnError('conflict', 'The memory is suspended.');
  if (spaceId !== null && closedVaults.has(vaultId)) throw notFound('The space');
}

/** Which engines run. */
class EngineRoster {
  private readonly options: EnginePoolOptions;
  private readonly running = new Map<string, EngineRuntime>();
  /** Replaced or gone, but still in use. */
  private readonly leaving = new Set<Promise<void>>();
  /** Ran here and left the register, which a server does together with the memory that was its only one. */
  private readonly gone = new Set<string>();
  private refreshing: Promise<void> | null = null;
  private unreachable = false;
  private closed = false;

  constructor(options: EnginePoolOptions) {
    this.options = options;
  }

  /** The engine, looked for in the directory when it is new to us. */
  async find(engineId: string): Promise<EngineRuntime> {
    if (engineId === DEFAULT_ENGINE_ID) return this.options.defaultEngine;
    if (!this.running.has(engineId)) await this.refresh();
    const engine = this.running.get(engineId);
    if (engine === undefined) {
      throw new CairnError('unavailable', 'The memory cannot be reached right now.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        internal: `engine ${engineId} is not known`,
      });
    }
    return engine;
  }

  /** Whether an engine that cannot be reached was taken out of the register meanwhile. */
  async isGone(engineId: string): Promise<boolean> {
    if (engineId !== DEFAULT_ENGINE_ID) await this.refresh();
    return this.gone.has(engineId);
  }

  /** Asks the directory once for all who want to know now. Does not throw. */
  refresh(): Promise<void> {
    this.refreshing ??= this.readDirectory().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async readDirectory(): Promise<void> {
    const { logger, listEngines } = this.options;
    try {
      const connections = await listEngines();
      if (!this.closed) this.apply(connections);
      this.unreachable = false;
    } catch (error) {
      // Said once, not every few seconds; the engines that are known go on.
      if (!this.unreachable) logger.warn({ err: error }, 'the engine directory cannot be asked');
      this.unreachable = true;
    }
  }

  private apply(connections: readonly EngineConnection[]): void {
    const { logger, start } = this.options;
    const named = new Set(connections.map((connection) => connection.engineId));
    for (const connection of connections) {
      const { engineId, revision } = connection;
      const known = this.running.get(engineId);
      if (known !== undefined && known.revision >= revision) continue;
      this.gone.delete(engineId);
      this.running.set(engineId, start(connection));
      logger.info({ engine_id: engineId, revision: String(revision) }, 'engine started');
      if (known !== undefined) this.leave(known);
    }
    for (const [engineId, engine] of this.running) {
      if (named.has(engineId)) continue;
      this.running.delete(engineId);
      this.gone.add(engineId);
      logger.info({ engine_id: engineId }, 'engine is gone');
      this.leave(engine);
    }
  }

  private leave(engine: EngineRuntime): void {
    const left: Promise<void> = engine
      .close()
      .catch((error: unknown) => {
        this.options.logger.warn({ err: error, engine_id: engine.engineId }, 'engine did not close');
      })
      .finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.refreshing;
    for (const engine of this.running.values()) this.leave(engine);
    this.running.clear();
    await Promise.all([...this.leaving, this.options.defaultEngine.close()]);
  }
}

/** Calls `work` at once and then again and again, never twice at a time. */
function startPolling(work: () => Promise<void>, everyMs: number): Running {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async () => {
    await work();
    if (!closed) timer = setTimeout(() => (current = turn()), everyMs);
  };
  let current = turn();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await current;
    },
  };
}
