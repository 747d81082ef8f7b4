import { startLoop } from '@cairn/background';
import { setTimeout as sleep } from 'node:timers/promises';
import { CairnError, notFound } from '@cairn/errors';
import type { Logger, Running } from '@cairn/service-kit';
import { type ClosedVaults, SUSPENDED, type UsedScope, whileOpen, whileReadable } from '../memories/closed-scopes.ts';
import type { ListEngines } from './engine-directory.ts';
import type { EngineConnection, EngineRuntime } from './engine-runtime.ts';
import type { Engines, WholeEngine } from '../memories/engines.ts';
import { type MemoryScope, type TargetMemory, DEFAULT_ENGINE_ID } from '../memories/memory-scope.ts';
import { MemoryMovingError } from '../memories/moving-memories.ts';
import { isUnavailable } from '../memories/unavailable.ts';
import { LRUCache } from 'lru-cache';

export interface EnginePool extends Engines, Running {
  /** Runs `work` with one engine as a whole; `unavailable` when it is not known. For erasing, not for requests. */
  onEngine<T>(engineId: string, work: (engine: WholeEngine) => Promise<T>): Promise<T>;
}

interface EnginePoolOptions {
  defaultEngine: EngineRuntime;
  listEngines: ListEngines;
  start: (connection: EngineConnection) => EngineRuntime;
  /** The engine that a memory is registered on right now. */
  locate: (memory: MemoryScope) => Promise<string>;
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
  const running = new RunningEngines(options);
  const poll = startLoop({
    work: async () => {
      await running.refresh();
      options.onPoll();
      return false;
    },
    pollMs: options.pollMs,
    onError: (error) => options.logger.warn({ err: error }, 'engine pool: a poll failed; retrying'),
    backoffMs: options.pollMs,
    backoffMaxMs: options.pollMs,
  });
  const onEngine: EnginePool['onEngine'] = async (engineId, work) => (await running.find(engineId)).use(work);
  const onMemory = followMoves(options, async (engineId, work) => {
    try {
      return await onEngine(engineId, work);
    } catch (error) {
      if (isUnavailable(error) && (await running.isGone(engineId))) throw notFound('The memory');
      throw error;
    }
  });
  return {
    onEngine,
    async read(memory, work) {
      const result = await onMemory(memory, ({ reads, index }) =>
        whileReadable(reads, usedScopeOf(memory), async (tx, closedVaults) => {
          assertUsable(memory, closedVaults);
          return { value: await work({ tx, index, closedVaults }) };
        }),
      );
      if (result === null) throw notFound('The memory');
      return result.value;
    },
    async write(memory, work) {
      const result = await onMemory(memory, ({ database, index }) =>
        whileOpen(database, usedScopeOf(memory), async (tx, closedVaults) => {
          assertUsable(memory, closedVaults);
          return { value: await work({ tx, index, closedVaults }) };
        }),
      );
      if (result === null) throw notFound('The memory');
      return result.value;
    },
    readTenant: (engineId, tenantId, work) => onEngine(engineId, ({ reads }) => reads.withTenant(tenantId, work)),
    async close() {
      await poll.close();
      await running.close();
    },
  };
}

/** Longer than a hand-over takes: its callers are not refused but wait. */
const MOVE_WAIT_MS = 6_000;
const MOVE_RECHECK_MS = 50;
const MOVED_MAX = 50_000;
/** Longer than it takes until a request that was just resolved has run out of the old place. */
const MOVED_MS = 60_000;

type OnMemory = <T>(memory: TargetMemory, work: (engine: WholeEngine) => Promise<T>) => Promise<T>;

/**
 * Runs work where the memory is, however long ago the caller looked that up: what is being handed over is waited for,
 * and looked for once more. The work has not begun when that is found out.
 */
function followMoves({ locate }: Pick<EnginePoolOptions, 'locate'>, onEngine: EnginePool['onEngine']): OnMemory {
  const moved = new LRUCache<string, string>({ max: MOVED_MAX, ttl: MOVED_MS });
  return async (memory, work) => {
    const until = performance.now() + MOVE_WAIT_MS;
    let engineId = moved.get(memory.memoryId) ?? memory.engineId;
    for (;;) {
      try {
        return await onEngine(engineId, work);
      } catch (error) {
        if (!(error instanceof MemoryMovingError) || performance.now() > until) throw error;
        await sleep(MOVE_RECHECK_MS);
        engineId = await locate(memory);
        moved.set(memory.memoryId, engineId);
      }
    }
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

/** The engines that run, kept up to date with the directory. */
class RunningEngines {
  private readonly options: EnginePoolOptions;
  private readonly running = new Map<string, EngineRuntime>();
  /** Replaced or removed, but still in use. */
  private readonly closing = new Set<Promise<void>>();
  /** Ran here and left the directory, as a server does together with the memory that was its only one. */
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

  /** Whether an engine that cannot be reached was removed from the directory in the meantime. */
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
      if (!this.unreachable)
        logger.warn(
          { err: error },
          'engine pool: the engine directory is unreachable; known engines keep running; retrying',
        );
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
      logger.info({ engine_id: engineId, revision: String(revision) }, 'engine pool: an engine started');
      if (known !== undefined) this.retire(known);
    }
    for (const [engineId, engine] of this.running) {
      if (named.has(engineId)) continue;
      this.running.delete(engineId);
      this.gone.add(engineId);
      logger.info({ engine_id: engineId }, 'engine pool: an engine was removed from the directory; closing it');
      this.retire(engine);
    }
  }

  private retire(engine: EngineRuntime): void {
    const closed: Promise<void> = engine
      .close()
      .catch((error: unknown) => {
        this.options.logger.warn({ err: error, engine_id: engine.engineId }, 'engine pool: closing an engine failed');
      })
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.refreshing;
    for (const engine of this.running.values()) this.retire(engine);
    this.running.clear();
    await Promise.all([...this.closing, this.options.defaultEngine.close()]);
  }
}
