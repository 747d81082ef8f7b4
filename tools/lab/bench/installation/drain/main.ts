import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { type NewTenant, operator } from '../../../../../e2e/tests/operator.ts';
import { type Engines, startEngines } from './engines.ts';
import { killInTurns } from './kill-in-turns.ts';
import { fillMemories, startWriter, type Tenant } from './memories.ts';

const USAGE = `Usage: npm run bench -- drain [options]

  --memories 100       of varied size, spread over four engines, one of which is then drained
  --kill               kills tenancy and the memory service in turns while memories move
  --no-report          leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100' },
    kill: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'measurements', 'moving.md');
const NAMES = ['second', 'third', 'fourth'];
const DRAINED = 'fourth';
/** How much larger the fullest engine may be than the emptiest, as a share of their mean. */
const ALIKE_WITHIN = 0.2;
const MOVED_WITHIN_MS = 600_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else await bench(Number(values.memories));

interface Stage {
  name: string;
  moves: number;
  seconds: number;
  memories: Record<string, number>;
  bytes: Record<string, number>;
}

async function bench(count: number): Promise<void> {
  const cairn = await startCairn();
  const engines = await startEngines(cairn, NAMES);
  try {
    const { api_key: apiKey } = await operator<NewTenant>(
      cairn,
      ...['tenant', 'create', '--name', 'Drain', '--plan', 'business'],
    );
    const tenant: Tenant = { baseUrl: cairn.baseUrl, apiKey };
    const memories = await fillMemories(tenant, count);
    say(`${count} memories are filled`);
    const stages = [await stage('before', engines, 0, 0)];
    const writer = startWriter(tenant, memories);
    const kills = values.kill ? killInTurns(cairn, ['tenancy', 'memory']) : null;
    stages.push(await moved('drained', cairn, engines, ['engine', 'drain', engines.idOf(DRAINED), '--move']));
    stages.push(await moved('rebalanced', cairn, engines, ['operator', 'engine', 'rebalance']));
    const killed = (await kills?.stop()) ?? 0;
    const { acknowledged, refused } = await writer.stop();
    const lost = await engines.missing(acknowledged);
    const elsewhere = await engines.notOnTheirEngine();
    const spread = spreadOf(stages.at(-1)!);
    say(JSON.stringify({ stages, killed, acknowledged: acknowledged.length, refused, lost, elsewhere, spread }));
    if (lost > 0 || elsewhere > 0 || spread > ALIKE_WITHIN || (refused > 0 && killed === 0)) process.exitCode = 1;
    if (values['no-report']) return;
    const facts = [
      ['documents acknowledged meanwhile', String(acknowledged.length)],
      ['writes refused', String(refused)],
      ['acknowledged documents lost', String(lost)],
      ['memories with rows on an engine that is not theirs', String(elsewhere)],
      ['fullest less emptiest engine, as a share of their mean; goal at most 20 %', `${(100 * spread).toFixed(1)} %`],
      ...(killed === 0 ? [] : [['kill -9 of tenancy and the memory service, in turns', String(killed)]]),
    ];
    await writeSection(PAGE, 'Moving memories', values.kill ? 'drained-killed' : 'drained', section(stages, facts));
  } finally {
    await engines.close();
    await cairn.remove();
  }
}

/** Runs the command and waits until nothing moves any more. */
async function moved(name: string, cairn: RunningCairn, engines: Engines, command: string[]): Promise<Stage> {
  const before = await engines.registered();
  const startedMs = performance.now();
  const isDone = () => operator(cairn, ...command).then(() => true);
  // Repeated, should tenancy be killed before it answers.
  await eventually(isDone, Boolean, MOVED_WITHIN_MS);
  const underWay = () => operator<unknown[]>(cairn, 'operator', 'memory', 'moves');
  await eventually(underWay, (left) => left.length === 0, MOVED_WITHIN_MS);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await engines.registered();
  const moves = [...after].filter(([memoryId, engineId]) => before.get(memoryId) !== engineId).length;
  return stage(name, engines, moves, seconds);
}

async function stage(name: string, engines: Engines, moves: number, seconds: number): Promise<Stage> {
  const held = await engines.held();
  const of = (what: 'memories' | 'bytes') =>
    Object.fromEntries([...held].map(([engine, holding]) => [engine, holding[what]]));
  const measured = { name, moves, seconds, memories: of('memories'), bytes: of('bytes') };
  say(JSON.stringify(measured));
  return measured;
}

function spreadOf({ bytes }: Stage): number {
  const held = Object.entries(bytes).flatMap(([engine, size]) => (engine === DRAINED ? [] : [size]));
  const mean = held.reduce((sum, size) => sum + size, 0) / held.length;
  return (Math.max(...held) - Math.min(...held)) / mean;
}

function section(stages: readonly Stage[], facts: readonly string[][]): string {
  const engines = Object.keys(stages[0]!.bytes);
  const rows = stages.map(({ name, moves, seconds, memories, bytes }) => [
    name,
    ...(name === 'before' ? ['', ''] : [String(moves), `${seconds.toFixed(0)} s`]),
    ...engines.map((engine) => `${memories[engine] ?? 0} / ${((bytes[engine] ?? 0) / 1e6).toFixed(2)} MB`),
  ]);
  const options = process.argv.slice(2).join(' ');
  return [
    `## ${values.kill ? 'A drained engine, with its services killed' : 'A drained engine'}`,
    `${environment()}. Command: \`npm run bench -- drain${options === '' ? '' : ` ${options}`}\`. Four PostgreSQL servers on one machine, which is shared with other work. ${values.memories} memories whose documents have 16 to 262 KB, placed as new memories are; then \`cairn operator engine drain <${DRAINED}> --move\` and \`cairn operator engine rebalance\`, while documents are written to all of them. Sizes are those of the documents.`,
    table(['', 'moves', 'took', ...engines], rows),
    table(['measured', ''], facts),
  ].join('\n\n');
}
