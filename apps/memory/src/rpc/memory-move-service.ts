import { MemoryMoveService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type BoundService, requireService, rpc, type RpcContext, type ServiceHandlers } from '@cairn/service-kit';
import { abandonMove } from '../moving/abandon-move.ts';
import { copyMemory } from '../moving/copy-memory.ts';
import { handOver } from '../moving/hand-over.ts';
import { leaveEngine } from '../moving/leave-engine.ts';
import type { Move, MoveEngines } from '../moving/move-scope.ts';
import { prepareMove } from '../moving/prepare-move.ts';
import { readEngineLoad } from '../moving/read-engine-load.ts';
import { receiveMemory } from '../moving/receive-memory.ts';
import type { EnginePool } from '../runtime/engine-pool.ts';
import { DEFAULT_ENGINE_ID } from '../memories/memory-scope.ts';

interface WireMove extends Move {
  fromEngineId: string;
  toEngineId: string;
}

/** The calls that tenancy makes to move memories, and what it chooses engines by. */
export function memoryMoveService(engines: EnginePool): BoundService {
  const between = <T>(
    wire: WireMove | undefined,
    context: RpcContext,
    work: (ends: MoveEngines, move: Move) => Promise<T>,
  ): Promise<T> => {
    requireService(context, 'tenancy');
    const { fromEngineId, toEngineId, ...move } = moveOf(wire);
    return engines.onEngine(fromEngineId, (source) =>
      engines.onEngine(toEngineId, (target) => work({ source, target }, move)),
    );
  };
  const handlers: ServiceHandlers<typeof MemoryMoveService> = {
    async prepareMove({ move }, context) {
      const prepared = await between(move, context, prepareMove);
      return { finished: prepared === 'finished', inSearchCluster: prepared === 'inSearchCluster' };
    },
    copyMemory: async ({ move }, context) => ({ finished: await between(move, context, copyMemory) }),
    handOverMemory: async ({ move }, context) => ({ finished: await between(move, context, handOver) }),
    leaveEngine: async ({ move }, context) => ({ finished: await between(move, context, leaveEngine) }),
    async receiveMemory({ move }, context) {
      requireService(context, 'tenancy');
      const { toEngineId, ...received } = moveOf(move);
      // The source may be away by now.
      await engines.onEngine(toEngineId, (target) => receiveMemory(target, received));
      return {};
    },
    async abandonMove({ move }, context) {
      const abandoned = await between(move, context, abandonMove);
      return { finished: abandoned === 'finished', handedOver: abandoned === 'handedOver' };
    },
    async getEngineLoad({ engineId, ...wanted }, context) {
      requireService(context, 'tenancy');
      return engines.onEngine(engineId, ({ workerDatabase }) => readEngineLoad(workerDatabase, wanted));
    },
  };
  return rpc(MemoryMoveService, handlers);
}

function moveOf(move: WireMove | undefined): WireMove {
  if (move === undefined || move.moveId === '' || move.tenantId === '' || move.memoryId === '')
    throw validationFailed([{ path: 'move', message: 'must name a move, a tenant and a memory' }]);
  const { moveId, tenantId, memoryId } = move;
  const fromEngineId = move.fromEngineId === '' ? DEFAULT_ENGINE_ID : move.fromEngineId;
  const toEngineId = move.toEngineId === '' ? DEFAULT_ENGINE_ID : move.toEngineId;
  if (fromEngineId === toEngineId)
    throw validationFailed([{ path: 'move.to_engine_id', message: 'must be another engine' }]);
  return { moveId, tenantId, memoryId, fromEngineId, toEngineId };
}
