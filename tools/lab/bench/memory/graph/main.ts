import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '@cairn/postgres';
import { table, writeSection } from '../../../measurement/page.ts';
import { openBenchDeps } from '../bench-memory.ts';
import { startBenchServer } from '../bench-server.ts';
import { environmentNow, MEASUREMENTS } from '../report.ts';
import { type CommunitiesResult, measureCommunities } from './measure-communities.ts';
import { exploreText } from './explore-section.ts';
import { measureExplore } from './measure-explore.ts';
import { type LinkingResult, measureLinking } from './measure-linking.ts';
import { measureQuality } from './measure-quality.ts';
import { storeRandomGraph } from './random-graph.ts';

const USAGE = `Usage: npm run bench -- graph [options]

  --parts explore,communities,linking,quality   what to measure
  --links 1000000        links of the graph that is walked
  --hops 1,2,3,4,5,6     hops of the walks
  --walks 50             walks of a cell
  --seconds 10           of a number of callers
  --documents 6000       documents of 1 KB that are ingested
  --data <folder>        of the sets ner and climate_fever, for quality; without it only the handbook
  --no-report            leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'explore,communities,linking,quality' },
    links: { type: 'string', default: '1000000' },
    hops: { type: 'string', default: '1,2,3,4,5,6' },
    walks: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    documents: { type: 'string', default: '6000' },
    data: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const REPORT = join(MEASUREMENTS, 'graph.md');
const SCOPE = { tenantId: 'ten_graph', memoryId: 'mem_graph' };
/** The graph's memory as requests mean it. */
const TARGET = {
  ...SCOPE,
  workspaceId: 'ws_bench',
  rootVaultId: 'vlt_bench',
  engineId: 'default',
  spaceId: null,
  vaultId: 'vlt_bench',
} as const;
const COMMUNITY_NODES = 100_000;

if (values.help) say(USAGE);
else await bench(new Set(values.parts.split(',')));

async function bench(parts: ReadonlySet<string>): Promise<void> {
  if (parts.has('explore')) await onServer('explore', exploreSection);
  if (parts.has('communities')) await onServer('communities', communitiesSection);
  if (parts.has('linking')) await onServer('linking', linkingSection);
  if (parts.has('quality')) await write('quality', await measureQuality(values.data ?? null));
}

function pair([p50, p95]: [number, number]): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
}

type Server = Awaited<ReturnType<typeof startBenchServer>>;

async function onServer(name: string, section: (server: Server, head: string) => Promise<string>): Promise<void> {
  const server = await startBenchServer();
  try {
    const given = process.argv.slice(2).map((argument) => (argument === values.data ? '<folder>' : argument));
    const command = `npm run bench -- graph ${given.join(' ')}`.trim();
    await write(
      name,
      await section(
        server,
        `${environmentNow(server.version)}. Command: \`${command}\`. The machine is shared with other work: compare what is of one run.`,
      ),
    );
  } finally {
    await server.remove();
  }
}

async function write(name: string, text: string): Promise<void> {
  say(text);
  if (!values['no-report']) await writeSection(REPORT, 'Graph', name, text);
}

async function exploreSection(server: Server, head: string): Promise<string> {
  const links = Number(values.links);
  const size = { entities: Math.ceil(links / 5), links, hub: Math.ceil(links / 20) };
  const database = createDatabase({
    url: server.urls.url,
    applicationName: 'bench',
    poolMax: 10,
    statementTimeoutMs: 600_000,
  });
  try {
    await storeRandomGraph(database, SCOPE, size);
    const admin = createDatabase({ url: server.urls.superuserUrl, applicationName: 'bench', poolMax: 1 });
    await admin.transaction((tx) => tx.execute('ANALYZE graph_names, graph_links'));
    await admin.close();
    const [, postgresPid] = server.roots();
    const bench = { database, postgresPid: postgresPid!, memory: TARGET, size, say };
    const result = await measureExplore(bench, {
      hops: values.hops.split(',').map(Number),
      walks: Number(values.walks),
      seconds: Number(values.seconds),
    });
    return exploreText(head, size, result);
  } finally {
    await database.close();
  }
}

async function communitiesSection(server: Server, head: string): Promise<string> {
  const parts = await openBenchDeps(server.urls);
  try {
    await storeRandomGraph(parts.app, SCOPE, {
      entities: COMMUNITY_NODES,
      links: 4 * COMMUNITY_NODES,
      hub: COMMUNITY_NODES / 20,
    });
    const result: CommunitiesResult = await measureCommunities(parts, SCOPE, 1);
    return [
      '## Communities and centrality',
      '',
      head,
      '',
      `${result.nodes.toLocaleString('en')} entities with ${(4 * COMMUNITY_NODES).toLocaleString('en')} links: read, analysed in a thread and written back in ${(result.elapsedMs / 1_000).toFixed(1)} s, ${result.communities.toLocaleString('en')} communities. The same process searched another memory of 5,000 chunks meanwhile.`,
      '',
      table(
        ['searches', 'number', 'p50 / p95 ms'],
        [
          ['without the analysis', String(result.searches[0]), pair(result.quiet)],
          ['beside it', String(result.searches[1]), pair(result.beside)],
        ],
      ),
      '',
      `The picture of the whole graph (\`GET /memory/graph/overview\`) is read from the places that the analysis keeps; the first of ${result.overviews.length} sizes is the console’s first picture. Goal: under 200 kB.`,
      '',
      table(
        ['names', 'answer, kB', 'p50 / p95 ms'],
        result.overviews.map(({ nodes, bytes, times }) => [String(nodes), (bytes / 1_000).toFixed(0), pair(times)]),
      ),
    ].join('\n');
  } finally {
    await parts.close();
  }
}

async function linkingSection(server: Server, head: string): Promise<string> {
  const parts = await openBenchDeps(server.urls);
  try {
    const [, postgresPid] = server.roots();
    const result: LinkingResult = await measureLinking(parts, postgresPid!, Number(values.documents));
    const used = result.steps.reduce((sum, step) => sum + step.service + step.postgres, 0);
    const documents = result.documents.toLocaleString('en');
    return [
      '## Ingest with linking',
      '',
      head,
      '',
      `${documents} documents of ${Math.round(result.bytes)} bytes, batches of 64 as the ingest worker claims them, two memories at a time: **${Math.round(result.perSecond)} documents/s** (goal ≥ 300). A document takes ${used.toFixed(1)} ms of processor time, so that two cores that nobody else uses make ${Math.round(2_000 / used)} documents/s at most. Linking made ${result.thirds.map((rate) => Math.round(rate)).join(', ')} documents/s over the thirds of its run. Reading alone makes ${Math.round(result.readPerSecond)} documents/s on one thread. ${result.names.toLocaleString('en')} names, ${result.links.toLocaleString('en')} links, ${result.facts.toLocaleString('en')} facts came of it.`,
      '',
      table(
        ['step, ms for a document', 'elapsed', 'processor, service', 'processor, PostgreSQL'],
        result.steps.map(({ step, elapsed, service, postgres }) => [
          step,
          ...[elapsed, service, postgres].map((ms) => ms.toFixed(2)),
        ]),
      ),
      '',
      'Elapsed is of one batch after the other in each of two memories, so that it holds what a busy machine made wait. PostgreSQL’s part of linking is mostly writing (by `pg_stat_statements`: links, names with their five indexes, mentions, events); the service’s part is reading, comparing new names with those that are spelled alike, judging facts, and an event for each new entity. These texts bring a dozen new names a document, and go on doing so.',
    ].join('\n');
  } finally {
    await parts.close();
  }
}
