import { parseArgs } from 'node:util';
import { measure } from './measure.ts';
import { writeReport } from './report.ts';

const USAGE = `Usage: npm run bench -- webhooks [options]

  --endpoints 50      receivers
  --dead 5            of them, beside the healthy ones in the last part
  --backlog 30000     deliveries that are worked off
  --offered 750       deliveries a second while latencies are taken
  --seconds 20        of each latency part
  --note <text>       what a reader must know of this run
  --no-report         leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '50' },
    dead: { type: 'string', default: '5' },
    backlog: { type: 'string', default: '30000' },
    offered: { type: 'string', default: '750' },
    seconds: { type: 'string', default: '20' },
    note: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const WARM_UP_SECONDS = 10;
/** What one long document causes. */
const FLOOD_EVENTS = 1_200;

if (values.help) say(USAGE);
else {
  const measured = await measure(
    {
      endpoints: Number(values.endpoints),
      dead: Number(values.dead),
      backlog: Number(values.backlog),
      offered: Number(values.offered),
      seconds: Number(values.seconds),
      warmUpSeconds: WARM_UP_SECONDS,
      floodEvents: FLOOD_EVENTS,
    },
    say,
  );
  if (!values['no-report']) await writeReport(measured, values.note);
}
