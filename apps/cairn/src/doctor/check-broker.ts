import { EVENT_CONSUMERS } from '@cairn/contracts';
import { connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM, inspectStreams, type StreamState } from '@cairn/events';
import { failed, type Finding, messageOf, ok, warning } from './finding.ts';

const BEHIND_EVENTS = 20_000;

/** The streams and their consumers, as a user with all permissions sees them; nothing is changed. */
export async function checkBroker(adminUrl: string): Promise<Finding[]> {
  try {
    const bus = await connectEventBus({ natsUrl: adminUrl, name: 'cairn-doctor', isReadOnly: true });
    try {
      const streams = await inspectStreams(bus);
      return [ok('broker', 'NATS answers.'), ...streamFindings(streams)];
    } finally {
      await bus.close();
    }
  } catch (error) {
    return [failed('broker', `NATS cannot be reached: ${messageOf(error)}`, 'Check the server and --nats-admin-url.')];
  }
}

export function streamFindings(streams: Readonly<Record<string, StreamState | null>>): Finding[] {
  const findings = Object.entries(streams).map(([name, state]) => streamFinding(name, state));
  const events = streams[EVENT_STREAM];
  if (events !== null && events !== undefined) findings.push(...consumerFindings(events));
  const dead = streams[DEAD_LETTER_STREAM]?.messages ?? 0;
  if (dead > 0)
    findings.push(
      warning(
        'dead letters',
        `${dead} events could not be handled.`,
        'See CairnEventsDeadLettered in docs/operations.md.',
      ),
    );
  return findings;
}

function streamFinding(name: string, state: StreamState | null): Finding {
  const check = `stream ${name}`;
  if (state === null) return failed(check, 'It does not exist.', 'Run “cairn operator broker prepare”.');
  const { replicas, replicasCurrent } = state;
  if (replicasCurrent >= replicas) return ok(check, `${replicasCurrent} of ${replicas} replicas are current.`);
  const message = `Only ${replicasCurrent} of ${replicas} replicas are current.`;
  return warning(check, message, 'Check the other servers of the NATS cluster; another failure may stop the stream.');
}

function consumerFindings(events: StreamState): Finding[] {
  const pendingOf = new Map(events.consumers.map(({ durable, pending }) => [durable, pending]));
  return Object.values(EVENT_CONSUMERS).map(({ durable, service }) => {
    const check = `consumer ${durable}`;
    const pending = pendingOf.get(durable);
    if (pending === undefined) return failed(check, 'It does not exist.', `Start ${service}, which creates it.`);
    return pending > BEHIND_EVENTS
      ? warning(check, `${pending} events wait.`, 'See CairnConsumerBehind in docs/operations.md.')
      : ok(check, `${pending} events wait.`);
  });
}
