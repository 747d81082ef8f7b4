import { once } from 'node:events';
import { connect } from 'node:tls';
import { failed, type Finding, messageOf, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** Machines' clocks must agree within two seconds; a Date header is cut to whole ones. */
const SKEW_MAX_MS = 2_000;
const HEADER_STEP_MS = 1_000;
const CERTIFICATE_WARNING_DAYS = 21;
const DAY_MS = 86_400_000;

/** Whether the gateway answers, whether all services behind it are ready, its clock and its certificate. */
export async function checkGateway(baseUrl: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const health = await get(new URL('/healthz', baseUrl));
  if (health instanceof Error) {
    const action = 'Check that the gateway runs, and the address in CAIRN_BASE_URL or --base-url.';
    findings.push(failed('gateway', `${baseUrl} cannot be reached: ${messageOf(health.cause ?? health)}`, action));
  } else {
    findings.push(ok('gateway', `${baseUrl} answers.`), clockFinding('gateway clock', health.atMs - health.date));
    const ready = await get(new URL('/readyz', baseUrl));
    findings.push(readyFinding(ready));
  }
  if (baseUrl.startsWith('https:')) findings.push(await checkCertificate(new URL(baseUrl)));
  return findings;
}

/** `aheadMs`: how much this machine's clock is ahead of the other one. */
export function clockFinding(check: string, aheadMs: number): Finding {
  if (Math.abs(aheadMs) <= SKEW_MAX_MS + HEADER_STEP_MS) return ok(check, 'It agrees with the clock of this machine.');
  const message = `It differs from the clock of this machine by ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s.`;
  return failed(
    check,
    message,
    'Synchronise the clocks (NTP): identities between services are valid for five seconds.',
  );
}

function readyFinding(ready: Answer | Error): Finding {
  if (ready instanceof Error)
    return failed('services', `The gateway broke off: ${messageOf(ready)}`, 'Look at its log.');
  if (ready.status === 200) return ok('services', 'All services behind the gateway are ready.');
  const detail = /"detail":"([^"]*)"/.exec(ready.body)?.[1] ?? `status ${ready.status}`;
  return failed('services', detail, 'Look at the logs of these services, and at the checks of the database below.');
}

export function certificateFinding(validUntilMs: number, nowMs: number): Finding {
  const days = Math.floor((validUntilMs - nowMs) / DAY_MS);
  if (days < 0) return failed('certificate', 'The certificate has expired.', 'Renew it.');
  const message = `The certificate is valid for ${days} more days.`;
  return days < CERTIFICATE_WARNING_DAYS
    ? warning('certificate', message, 'Renew it, and find out why that has not happened by itself.')
    : ok('certificate', message);
}

async function checkCertificate({ hostname, port }: URL): Promise<Finding> {
  // Whether it is trusted is for clients to say; an expired one is to be reported as such.
  const socket = connect({
    host: hostname,
    port: port === '' ? 443 : Number(port),
    servername: hostname,
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
  socket.once('timeout', () => socket.destroy(new Error('timed out')));
  try {
    await once(socket, 'secureConnect');
    return certificateFinding(Date.parse(socket.getPeerCertificate().valid_to), Date.now());
  } catch (error) {
    return failed('certificate', `TLS failed: ${messageOf(error)}`, 'Check the proxy in front of the gateway.');
  } finally {
    socket.destroy();
  }
}

interface Answer {
  status: number;
  body: string;
  /** By the other clock and by this one. */
  date: number;
  atMs: number;
}

async function get(url: URL): Promise<Answer | Error> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    const atMs = Date.now();
    const date = Date.parse(response.headers.get('date') ?? '');
    return { status: response.status, body: await response.text(), date: Number.isNaN(date) ? atMs : date, atMs };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
