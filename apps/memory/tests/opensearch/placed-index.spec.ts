import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { openSpecDatabase, type SpecDatabase } from '../spec-database.ts';
import { find, newMemory, openPlaced } from './open-placed.ts';

const LIMIT = 1_000;

let postgres: SpecDatabase;
let opened: ReturnType<typeof openPlaced>;
beforeAll(async () => {
  postgres = await openSpecDatabase();
  opened = openPlaced(postgres, false);
});
afterAll(async () => {
  await opened.close();
  await postgres.close();
});

describe('the index of an engine with a cluster', () => {
  it('puts a new memory into the cluster alone, and finds what it holds once that is published', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a');
    await opened.index.publish(memory);
    expect(await opened.find(memory)).toEqual(['a']);
    expect(await find(postgres, memory, opened.segments)).toEqual([]);
  });

  it('takes in what comes while the cluster is down, refuses searches as unavailable, and catches up', async () => {
    const memory = newMemory();
    opened.cluster.isDown = true;
    await opened.add(memory, 'a');
    await expect(opened.find(memory)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(opened.index.publish(memory)).rejects.toMatchObject({ code: 'unavailable' });
    opened.cluster.isDown = false;
    await eventually(
      () => opened.find(memory),
      (ids) => ids.length === 1,
    );
  });

  it('answers from the segments while the cluster is down, where they are kept', async () => {
    const kept = openPlaced(postgres, true, opened.cluster);
    const memory = newMemory();
    await kept.add(memory, 'a');
    await kept.index.publish(memory);
    kept.cluster.isDown = true;
    await kept.add(memory, 'b');
    await kept.index.publish(memory);
    expect(await kept.find(memory)).toEqual(['a', 'b']);
    kept.cluster.isDown = false;
    await kept.close();
  });

  it('moves a memory out of the cluster and back into it while it is written to and searched', async () => {
    const memory = newMemory();
    const ids: string[] = [];
    let isWriting = true;
    const write = async () => {
      for (let n = 0; isWriting; n += 1) {
        const id = `c${String(n).padStart(5, '0')}`;
        await opened.add(memory, id);
        await opened.index.publish(memory);
        ids.push(id);
        if (n % 3 === 2) {
          const gone = ids.splice(n % ids.length, 1);
          await postgres.app.withTenant(memory.tenantId, (tx) => opened.index.remove(tx, memory, gone));
        }
        const expected = [...ids].sort();
        expect(await opened.find(memory)).toEqual(expected);
      }
    };
    const written = write();
    const settled = async (phase: string) => {
      await eventually(
        () => opened.manage(memory, 'state'),
        (state) => state.phase === phase && !state.copying,
      );
    };
    await eventually(() => ids.length > 3);
    await opened.manage(memory, 'to_postgres');
    await settled('segments');
    expect(await opened.cluster.list(memory, '', LIMIT)).toEqual([]);
    await opened.manage(memory, 'to_opensearch');
    await settled('serving');
    await opened.manage(memory, 'rebuild');
    await settled('serving');
    isWriting = false;
    await written;
    await opened.index.publish(memory);
    const { drift } = await opened.manage(memory, 'check');
    expect(drift).toEqual({ chunks: ids.length, missing: 0, surplus: 0, misplaced: 0 });
    await eventually(
      () => find(postgres, memory, opened.segments),
      (left) => left.length === 0,
    );
    await expect(opened.manage(memory, 'to_opensearch')).rejects.toMatchObject({ code: 'conflict' });
  });
});
