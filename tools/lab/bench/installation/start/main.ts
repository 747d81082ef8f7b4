import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SERVICE_NAMES } from '@cairn/contracts';
import { startNats, startPostgres } from '@cairn/embedded';
import { startCairn, temporaryFolder } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { quantile } from '../../../measurement/quantile.ts';
import { endAll, startMinimalServices } from './minimal-services.ts';
import { type AtRest, measureAtRest, measureProcesses } from './at-rest.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    rest: { type: 'string', default: '60' },
    'no-report': { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'measurements', 'start.md');
const STARTS = Number(values.starts);
const REST_MS = Number(values.rest) * 1_000;
const SERVICES = ['gateway', ...SERVICE_NAMES];
const WHOLE_MAX_MB = 900;
const SERVICE_MAX_MB = 120;
const WARM_MAX_S = 3;
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Starts {
  what: string;
  firstS: number;
  /** Of those after it. */
  againS: number;
}

const engines = await measureEngines();
say(JSON.stringify(engines));
const { starts, whole, bare } = await measureInstallation();
const body = section([starts, engines], whole, bare);
say(body);
if (!values['no-report']) await writeSection(PAGE, 'Start and memory at rest', 'start', body);

/** What nothing can be below: the two servers, in an empty folder and then with their data. */
async function measureEngines(): Promise<Starts> {
  const folder = await temporaryFolder('cairn-bench-engines-');
  const times: number[] = [];
  for (let n = 0; n <= STARTS; n++) {
    const startedMs = performance.now();
    const [postgres, nats] = await Promise.all([
      startPostgres({ dataDir: join(folder, 'postgres') }),
      startNats({ dataDir: join(folder, 'nats') }),
    ]);
    times.push((performance.now() - startedMs) / 1_000);
    await Promise.all([postgres.stop(), nats.stop()]);
  }
  await rm(folder, { recursive: true, force: true });
  return { what: 'PostgreSQL and nats-server alone', firstS: times[0]!, againS: quantile(times.slice(1), 0.5) };
}

async function measureInstallation(): Promise<{ starts: Starts; whole: AtRest[]; bare: AtRest[] }> {
  const dataDir = await temporaryFolder('cairn-bench-start-');
  await mkdir(dataDir, { recursive: true });
  // What a first start on this machine builds or fetches is no part of starting an installation.
  await (await startCairn({ dataDir: join(dataDir, 'earlier') })).remove();
  const times: number[] = [];
  const folder = join(dataDir, 'measured');
  try {
    for (let n = 0; ; n++) {
      const startedMs = performance.now();
      const cairn = await startCairn({ dataDir: folder });
      times.push((performance.now() - startedMs) / 1_000);
      say(`start ${n}: ${times.at(-1)!.toFixed(2)} s`);
      if (n < STARTS) {
        await cairn.stop();
        continue;
      }
      try {
        await sleep(REST_MS);
        const whole = await measureAtRest(cairn, REST_MS);
        const children = await startMinimalServices(cairn, SERVICES.length);
        await sleep(REST_MS / 2);
        const bare = await measureProcesses(new Map(children.map(({ pid }) => [pid!, 'a bare service'])), REST_MS);
        await endAll(children);
        const starts = { what: 'the installation', firstS: times[0]!, againS: quantile(times.slice(1), 0.5) };
        return { starts, whole, bare };
      } finally {
        await cairn.stop();
      }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function section(starts: readonly Starts[], whole: readonly AtRest[], bare: readonly AtRest[]): string {
  const sum = (of: (part: AtRest) => number) => whole.reduce((all, part) => all + of(part), 0);
  const services = whole.filter(({ kind }) => SERVICES.includes(kind));
  const largest = services.toSorted((a, b) => b.anonymous - a.anonymous)[0]!;
  const [mb, rate] = [(value: number) => value.toFixed(0), (value: number) => value.toFixed(1)];
  const row = (part: AtRest) => [
    part.kind,
    String(part.processes),
    mb(part.resident),
    mb(part.proportional),
    mb(part.anonymous),
    rate(part.msPerSecond),
  ];
  const perService = bare.map((part) => ({
    ...part,
    kind: `a bare service (one of ${part.processes})`,
    processes: 1,
    resident: part.resident / part.processes,
    proportional: part.proportional / part.processes,
    anonymous: part.anonymous / part.processes,
    msPerSecond: part.msPerSecond / part.processes,
  }));
  const total = [
    '**all**',
    String(sum((part) => part.processes)),
    '–',
    mb(sum((part) => part.proportional)),
    mb(sum((part) => part.anonymous)),
    rate(sum((part) => part.msPerSecond)),
  ];
  const [installation] = starts;
  const goal = (name: string, value: string, isMet: boolean) => [name, value, isMet ? 'met' : '**missed**'];
  return [
    `${environment()}. Command: \`npm run bench -- start\`.`,
    table(
      ['goal', 'measured', ''],
      [
        goal(
          `whole installation at rest ≤ ${WHOLE_MAX_MB} MB`,
          `${mb(sum((part) => part.proportional))} MB`,
          sum((part) => part.proportional) <= WHOLE_MAX_MB,
        ),
        goal(
          `start with data < ${WARM_MAX_S} s`,
          `${installation!.againS.toFixed(2)} s`,
          installation!.againS < WARM_MAX_S,
        ),
        goal(
          `a service at rest < ${SERVICE_MAX_MB} MB`,
          `${mb(largest.anonymous)} MB (${largest.kind})`,
          largest.anonymous < SERVICE_MAX_MB,
        ),
      ],
    ),
    `Seconds from the command to “Ready”, without the example documents; the first with an empty folder, the others, of which the median of ${STARTS} is shown, with its data. What a machine builds once for all its installations was there.`,
    table(
      ['start', 'first', 'again'],
      starts.map(({ what, firstS, againS }) => [what, `${firstS.toFixed(2)} s`, `${againS.toFixed(2)} s`]),
    ),
    `At rest: ${values.rest} s after the start, and processor time over the ${values.rest} s that follow. Resident memory counts pages that processes share in each of them; the proportional share divides them, so that it adds up; the anonymous part is what no file backs, and what a container that runs one process is charged for in any case. The peer is a service without our code: Express, gRPC, a pool of PostgreSQL, a connection to NATS and a logger, as the packages are.`,
    table(
      ['part', 'processes', 'resident MB', 'proportional MB', 'anonymous MB', 'ms of processor a second'],
      [...whole.map(row), total, ...perService.map(row)],
    ),
  ].join('\n\n');
}
