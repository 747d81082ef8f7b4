import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '../../../measurement/page.ts';
import { BENCH_MEMORY, BENCH_VAULT_ID, fillMemory } from '../bench-memory.ts';
import { asSuperuser, type BenchServer, rowsOf } from '../bench-server.ts';
import { createCorpus } from '../corpus.ts';
import { environmentNow, MEASUREMENTS } from '../report.ts';
import { longestGap, type MoveLoad, startMoveLoad } from './move-load.ts';
import { MOVE_STEPS, type MoveStep } from './move-steps.ts';
import { type MoveSetup, startMoveSetup } from './move-setup.ts';

const USAGE = `Usage: npm run bench -- move [options]

  --chunks 60000       of the corpus, indexed
  --mb 1000            how large the memory is made with originals and a graph
  --kill               kills the moving process at each step
  --no-report          leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '60000' },
    mb: { type: 'string', default: '1000' },
    kill: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const QUERIES = 20;
/** Milliseconds into a step at which the mover is killed. */
const KILLED_AFTER_MS = [5, 60, 250];

if (values.help) say(USAGE);
else await bench(Number(values.chunks), Number(values.mb));

interface Measured {
  bytes: number;
  copyMs: number;
  handOverMs: number;
  leaveMs: number;
  kills: number;
  /** The longest time without an acknowledged write. */
  gaps: { handingOver: number; copying: number };
  load: MoveLoad;
  lost: number;
  sameRows: boolean;
  sameAnswers: boolean;
}

async function bench(chunks: number, mb: number): Promise<void> {
  const world = await startMoveSetup();
  try {
    const corpus = createCorpus(1);
    await fillMemory(world.source, corpus, 0, chunks);
    await enlarge(world.servers.default, mb);
    const bytes = await sizeOf(world.servers.default);
    say(`the memory has ${Math.round(bytes / 1e6)} MB`);
    const measured = await measure(world, corpus, chunks, bytes);
    say(
      JSON.stringify({
        ...measured,
        load: { ...measured.load, ackedAtMs: [], acknowledged: measured.load.acknowledged.length },
      }),
    );
    if (
      measured.lost > 0 ||
      !measured.sameRows ||
      !measured.sameAnswers ||
      (!values.kill && measured.load.refused.length > 0)
    )
      process.exitCode = 1;
    if (values['no-report']) return;
    const head = `${environmentNow(world.servers.default.version)}. Command: \`${['npm run bench -- move', ...process.argv.slice(2)].join(' ')}\`. The machine is shared with other work, and both servers, the load and the mover run on it.`;
    await writeSection(
      join(MEASUREMENTS, 'moving.md'),
      'Moving memories',
      values.kill ? 'killed' : 'moved',
      section(measured, head),
    );
  } finally {
    await world.close();
  }
}

async function measure(
  world: MoveSetup,
  corpus: ReturnType<typeof createCorpus>,
  chunks: number,
  bytes: number,
): Promise<Measured> {
  const before = await answers(world, corpus, chunks);
  const digest = await digestOf(world.servers.default);
  const load = startMoveLoad(world, corpus, chunks);
  const times = new Map<MoveStep, number>();
  let kills = 0;
  const endedAt = new Map<MoveStep, number>();
  let startedMs = performance.now();
  const onStep = (step: MoveStep) => {
    times.set(step, performance.now() - startedMs);
    startedMs = performance.now();
    endedAt.set(step, startedMs);
    say(`${step} ${Math.round(times.get(step)!)} ms`);
  };
  if (values.kill)
    for (const step of MOVE_STEPS) {
      kills += await killAt(world, step);
      await world.run('job_bench', step, step, { onStep });
    }
  else await world.run('job_bench', 'prepare', 'leave', { onStep });
  await load.stop();
  const serving = await world.serving();
  if (serving.join() !== 'second') throw new Error(`served by ${serving.join(' and ')}`);
  const missing = await missingOn(world.servers.second, load.acknowledged);
  return {
    bytes,
    copyMs: times.get('copy')!,
    handOverMs: times.get('handOver')!,
    leaveMs: times.get('leave')!,
    kills,
    gaps: {
      handingOver: longestGap(load, endedAt.get('copy')!, endedAt.get('receive')!),
      copying: longestGap(load, 0, endedAt.get('copy')!),
    },
    load,
    lost: missing,
    sameRows: (await digestOf(world.servers.second)) === digest,
    sameAnswers: (await answers(world, corpus, chunks)) === before,
  };
}

/** Kills the mover some times into the step and looks that never two engines serve the memory. */
async function killAt(world: MoveSetup, step: MoveStep): Promise<number> {
  let kills = 0;
  for (const afterMs of KILLED_AFTER_MS) {
    const ended = await world.run('job_bench', step, step, { killAfterMs: afterMs });
    const serving = await world.serving();
    say(
      `killed ${afterMs} ms into ${step}${ended.length > 0 ? ', which had ended' : ''}: served by ${serving.join() || 'none yet'}`,
    );
    if (serving.length > 1) throw new Error(`both engines serve the memory after a kill in ${step}`);
    kills += 1;
  }
  return kills;
}

async function answers(world: MoveSetup, corpus: ReturnType<typeof createCorpus>, chunks: number): Promise<string> {
  const found = [];
  for (let n = 0; n < QUERIES; n += 1) {
    const text = corpus.query(n, chunks).words.join(' ');
    found.push(
      await world.pool.read(world.memory, ({ tx, index }) =>
        index.search(tx, BENCH_MEMORY, { text, limit: 20, explain: true, within: { vaultIds: [BENCH_VAULT_ID] } }),
      ),
    );
  }
  return createHash('sha256').update(JSON.stringify(found)).digest('hex');
}

/** Originals and a graph until the memory is so large. */
async function enlarge(server: BenchServer, mb: number): Promise<void> {
  await asSuperuser(server.urls, async (admin) => {
    const values = [BENCH_MEMORY.tenantId, BENCH_MEMORY.memoryId];
    await admin.query(
      `INSERT INTO graph_mentions (tenant_id, memory_id, name_no, vault_id, doc_id, chunk_id)
       SELECT $1, $2, n % 5000, 'vlt_bench', doc_id, 'chk' || n FROM documents CROSS JOIN generate_series(1, 20) AS n
        WHERE memory_id = $2`,
      values,
    );
    const missing = mb * 1e6 - (await sizeOf(server));
    if (missing <= 0) return;
    await admin.query(
      `INSERT INTO document_originals (tenant_id, memory_id, doc_id, payload)
       SELECT tenant_id, memory_id, doc_id,
              convert_to(repeat(md5(doc_id), $3::int), 'UTF8')
         FROM documents WHERE tenant_id = $1 AND memory_id = $2`,
      [...values, Math.ceil(missing / (await countOf(server)) / 32)],
    );
  });
}

async function countOf(server: BenchServer): Promise<number> {
  const [row] = await asSuperuser(server.urls, (admin) =>
    rowsOf<{ count: string }>(admin, 'SELECT count(*) AS count FROM documents'),
  );
  return Number(row!.count);
}

async function sizeOf(server: BenchServer): Promise<number> {
  const [row] = await asSuperuser(server.urls, (admin) =>
    rowsOf<{ bytes: string }>(
      admin,
      `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'`,
    ),
  );
  return Number(row!.bytes);
}

/** Of everything that the load does not change. */
async function digestOf(server: BenchServer): Promise<string> {
  const digests = [];
  for (const name of ['graph_mentions', 'document_originals'])
    digests.push(
      ...(await asSuperuser(server.urls, (admin) =>
        rowsOf<object>(
          admin,
          `SELECT count(*), sum(hashtextextended(t::text, 0)::numeric) FROM ${name} AS t WHERE memory_id = $1`,
          [BENCH_MEMORY.memoryId],
        ),
      )),
    );
  return JSON.stringify(digests);
}

async function missingOn(server: BenchServer, chunkIds: readonly string[]): Promise<number> {
  const [row] = await asSuperuser(server.urls, (admin) =>
    rowsOf<{ found: string }>(
      admin,
      'SELECT count(*) AS found FROM chunks JOIN documents USING (tenant_id, memory_id, doc_id) WHERE chunk_id = ANY($1)',
      [chunkIds],
    ),
  );
  return chunkIds.length - Number(row!.found);
}

function section(measured: Measured, head: string): string {
  const { load } = measured;
  const ms = (value: number) => `${Math.round(value)} ms`;
  const rows = [
    ['size of the memory with its indexes', `${Math.round(measured.bytes / 1e6)} MB`],
    ['copy, with what was changed meanwhile', ms(measured.copyMs)],
    ['hand-over, background work awaited', ms(measured.handOverMs)],
    ['erasing the source', ms(measured.leaveMs)],
    ['writes acknowledged meanwhile', String(load.acknowledged.length)],
    ['writes and searches refused', String(load.refused.length)],
    ['acknowledged writes lost', String(measured.lost)],
    ['longest time without an acknowledged write, while handing over', ms(measured.gaps.handingOver)],
    ['the same before that', ms(measured.gaps.copying)],
    ['longest write', ms(load.longestWriteMs)],
    ['longest search', ms(load.longestSearchMs)],
    [`${QUERIES} searches with their explanations, before and after`, measured.sameAnswers ? 'identical' : 'different'],
    ['rows that the load does not change', measured.sameRows ? 'identical' : 'different'],
    ...(measured.kills > 0 ? [['kill -9 of the moving process', String(measured.kills)]] : []),
  ];
  const title = measured.kills > 0 ? '## A move whose process is killed at each step' : '## A large memory under load';
  return `${title}\n\n${head}\n\n${table(['measured', ''], rows)}\n`;
}
