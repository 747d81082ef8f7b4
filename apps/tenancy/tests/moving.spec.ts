import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { type RunningTenancy, runTenancy } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
beforeAll(async () => {
  tenancy = await runTenancy();
  for (const name of ['north', 'south'])
    await tenancy.query(
      `INSERT INTO engines (engine_id, name, kind, status, weight, location) VALUES ($1, $2, 'shared', 'active', 1, '')`,
      [`eng_${name}`, name],
    );
}, 60_000);
afterAll(() => tenancy.close());
beforeEach(() => tenancy.refused.clear());

const engineOf = async (memoryId: string) =>
  (await tenancy.query<{ engine_id: string }>('SELECT engine_id FROM memories WHERE memory_id = $1', [memoryId]))[0]
    ?.engine_id;
const stepsOf = (memoryId: string) =>
  tenancy.calls
    .filter(({ request }) => (request['move'] as { memoryId: string } | undefined)?.memoryId === memoryId)
    .map(({ method }) => method);
const untilDone = (memoryId: string) =>
  eventually(
    async () => (await tenancy.operator.listMoves({})).moves.map((move) => move.memoryId),
    (moving) => !moving.includes(memoryId),
    20_000,
  );

/** A memory on the default engine. */
async function newMemory(): Promise<{ tenant: Awaited<ReturnType<RunningTenancy['makeTenant']>>; memoryId: string }> {
  const tenant = await tenancy.makeTenant();
  const memoryId = tenant.live.primaryMemoryId;
  await tenancy.query("UPDATE memories SET engine_id = 'default' WHERE memory_id = $1", [memoryId]);
  return { tenant, memoryId };
}

const move = (memoryId: string, toEngine: string) => tenancy.operator.moveMemory({ memoryId, toEngine });

describe('moving a memory', () => {
  it('goes through its steps and registers the memory between handing over and receiving', async () => {
    const { memoryId } = await newMemory();
    tenancy.refused.add('receiveMemory');
    expect((await move(memoryId, 'north')).move).toMatchObject({ fromEngineId: 'default', toEngineId: 'eng_north' });
    await eventually(
      () => stepsOf(memoryId),
      (steps) => steps.includes('receiveMemory'),
      20_000,
    );
    expect(await engineOf(memoryId)).toBe('eng_north');
    tenancy.refused.clear();
    await untilDone(memoryId);
    const steps = stepsOf(memoryId).filter((step, place, all) => step !== all[place - 1]);
    expect(steps).toEqual(['prepareMove', 'copyMemory', 'handOverMemory', 'receiveMemory', 'leaveEngine']);
  }, 40_000);

  it('that fails before it is handed over leaves the memory where it is, and can be given up', async () => {
    const { memoryId } = await newMemory();
    tenancy.refused.add('handOverMemory');
    await move(memoryId, 'north');
    const { moves } = await eventually(
      () => tenancy.operator.listMoves({}),
      (list) => list.moves.some((one) => one.memoryId === memoryId && one.error !== ''),
      20_000,
    );
    expect(moves.find((one) => one.memoryId === memoryId)).toMatchObject({ step: 'handOver' });
    expect(await engineOf(memoryId)).toBe('default');
    await expect(move(memoryId, 'south')).rejects.toMatchObject({ code: 'conflict' });
    await tenancy.operator.moveMemory({ memoryId, cancel: true });
    await untilDone(memoryId);
    expect(stepsOf(memoryId).at(-1)).toBe('abandonMove');
    expect(await engineOf(memoryId)).toBe('default');
  }, 40_000);

  it('ends before the memory is erased, where it is by then', async () => {
    const { tenant, memoryId } = await newMemory();
    const created = await tenancy.call(tenant.caller, 'POST', '/api/v1/memories', { display_name: 'Second' });
    const second = created.body['memory_id'] as string;
    await tenancy.query("UPDATE memories SET engine_id = 'default' WHERE memory_id = $1", [second]);
    tenancy.refused.add('receiveMemory');
    await move(second, 'south');
    await eventually(
      () => engineOf(second),
      (engine) => engine === 'eng_south',
      20_000,
    );
    expect((await tenancy.call(tenant.caller, 'DELETE', `/api/v1/memories/${second}`)).status).toBe(202);
    const erased = () =>
      tenancy.calls.filter(
        ({ method, request }) =>
          method === 'eraseScope' && (request['scope'] as { memoryId: string }).memoryId === second,
      );
    expect(erased()).toEqual([]);
    tenancy.refused.clear();
    await eventually(
      () => engineOf(second),
      (engine) => engine === undefined,
      20_000,
    );
    expect(erased()[0]!.request['scope']).toMatchObject({ engineId: 'eng_south' });
    expect(await engineOf(memoryId)).toBe('default');
  }, 40_000);

  it('is refused for dedicated memories, draining engines and the engine that has it', async () => {
    const { memoryId } = await newMemory();
    await tenancy.operator.drainEngine({ engineId: 'eng_south' });
    for (const engine of ['south', 'default'])
      await expect(move(memoryId, engine)).rejects.toMatchObject({ code: 'conflict' });
    await expect(move(memoryId, 'west')).rejects.toMatchObject({ code: 'not_found' });
    await tenancy.query("UPDATE memories SET type = 'dedicated' WHERE memory_id = $1", [memoryId]);
    await expect(move(memoryId, 'north')).rejects.toMatchObject({ code: 'conflict' });
    await tenancy.operator.drainEngine({ engineId: 'eng_south', undo: true });
  });
});

describe('the engines', () => {
  it('are emptied of all their memories when they drain, onto those that take more', async () => {
    const { memoryId } = await newMemory();
    await tenancy.query("UPDATE memories SET engine_id = 'eng_south' WHERE memory_id = $1", [memoryId]);
    await expect(tenancy.operator.spreadMemories({ engine: 'south' })).rejects.toMatchObject({ code: 'conflict' });
    await tenancy.operator.drainEngine({ engineId: 'eng_south' });
    const planned = await tenancy.operator.spreadMemories({ engine: 'south', dryRun: true });
    expect(planned.moves.map((one) => one.memoryId)).toContain(memoryId);
    expect(await engineOf(memoryId)).toBe('eng_south');
    await tenancy.operator.spreadMemories({ engine: 'south' });
    const left = () => tenancy.query("SELECT 1 FROM memories WHERE engine_id = 'eng_south' AND type = 'shared'");
    await eventually(left, (rows) => rows.length === 0, 20_000);
  }, 40_000);

  it('keep memories whose index is in OpenSearch, which are named, and hold up no other', async () => {
    const [{ memoryId }, { memoryId: late }] = [await newMemory(), await newMemory()];
    await tenancy.query("UPDATE memories SET engine_id = 'eng_south' WHERE memory_id = ANY($1)", [[memoryId, late]]);
    tenancy.inSearchCluster.add(memoryId);
    await tenancy.operator.drainEngine({ engineId: 'eng_south' });
    await expect(move(memoryId, 'north')).rejects.toMatchObject({ code: 'conflict' });
    const planned = await tenancy.operator.spreadMemories({ engine: 'south', dryRun: true });
    expect(planned.staying).toEqual([memoryId]);
    expect(planned.moves.map((one) => one.memoryId)).not.toContain(memoryId);
    // A memory whose index goes to OpenSearch during its move: the move is abandoned.
    tenancy.refused.add('prepareMove');
    await move(late, 'north');
    await eventually(() => stepsOf(late).includes('prepareMove'));
    tenancy.inSearchCluster.add(late);
    tenancy.refused.clear();
    await untilDone(late);
    expect(stepsOf(late).at(-1)).toBe('abandonMove');
    expect(await engineOf(late)).toBe('eng_south');
  }, 40_000);

  it('are listed with what they hold', async () => {
    const { engines } = await eventually(
      () => tenancy.operator.listEngines({}),
      (list) => list.engines.every((engine) => engine.use !== undefined),
      40_000,
    );
    expect(engines[0]!.use).toMatchObject({ bytes: 5_000_000n, chunks: 70n });
  }, 50_000);
});
