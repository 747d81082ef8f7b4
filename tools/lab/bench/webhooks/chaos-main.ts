import { parseArgs } from 'node:util';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { type ChaosResult, runChaos } from './chaos.ts';
import { PAGE } from './report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '80' },
    'broker-away': { type: 'string', default: '30' },
    rate: { type: 'string', default: '40' },
    endpoints: { type: 'string', default: '10' },
    'no-report': { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const options = {
  endpoints: Number(values.endpoints),
  eventsPerSecond: Number(values.rate),
  seconds: Number(values.seconds),
  brokerAwaySeconds: Number(values['broker-away']),
};

const result = await runChaos(options, say);
figuresOf(result).forEach(([name, value]) => say(`${name}: ${value}`));
if (!values['no-report']) await writeSection(PAGE, 'Webhooks', 'chaos', section());
process.exitCode = result.lost === 0 && result.unrecorded === 0 ? 0 : 1;

function figuresOf(found: ChaosResult): [string, string][] {
  return [
    ['events whose commit was acknowledged', String(found.committed)],
    ['deliveries that they mean', String(found.wanted)],
    ['of them lost', String(found.lost)],
    ['of them without a recorded end', String(found.unrecorded)],
    ['repeats, each under the same event id', String(found.repeats)],
  ];
}

function section(): string {
  return [
    '## The broker away, PostgreSQL restarted, the service killed',
    '',
    `${environment()}. Command: \`npm run chaos -- webhooks\`.`,
    '',
    `${options.eventsPerSecond} events a second for ${options.seconds} s, each to ${options.endpoints} endpoints. On the way NATS is ended with -9 for ${options.brokerAwaySeconds} s, PostgreSQL is restarted, and the service is ended with -9 and started again.`,
    '',
    table(['', ''], figuresOf(result)),
  ].join('\n');
}
