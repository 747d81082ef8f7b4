import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { WEBHOOK_EVENTS } from '../gen/webhook-events.ts';
import { UsageError, wordsOf } from './failures.ts';
import { forwardEvent } from './forward-event.ts';
import type { Session } from './session.ts';
import { oneLine } from './printable.ts';
import { given, type Options, textOf } from './verb.ts';

const SECRET_BYTES = 24;
const SECRET = /^whsec_[A-Za-z0-9+/]{16,128}={0,2}$/;
const COUNT = /^[1-9]\d{0,8}$/;
/** Events are the tenant's own: they stay on this machine. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `cairn webhooks listen`: prints what webhooks would receive, and posts it to a local address if one is named. */
export async function listen(session: Session, options: Options): Promise<void> {
  const count = countOf(textOf(options, 'count'));
  const forward = textOf(options, 'forward');
  const url = forward === undefined ? null : localAddress(forward);
  const secret = url === null ? null : await secretOf(session, textOf(options, 'secretFile'));
  const client = await session.client();
  const params = given({ types: textOf(options, 'types'), memory_id: await session.memoryId() });
  session.say('Listening from now on. Ctrl-C ends it.');
  let seen = 0;
  for await (const { type: _type, position: _position, ...event } of client.events.follow(params)) {
    if (!WEBHOOK_EVENTS.includes(event.event)) continue;
    const body = JSON.stringify(event);
    session.answer(
      session.flags.json === true
        ? body
        : `${event.occurred_at}  ${event.event}  ${oneLine(JSON.stringify(event.payload))}`,
    );
    if (url !== null && secret !== null) {
      const ended = forwardEvent(url, secret, { eventId: event.event_id, body });
      session.say(`  → ${await ended.catch((error: unknown) => `not delivered: ${wordsOf(error)}`)}`);
    }
    seen += 1;
    if (seen === count) return;
  }
}

/** The address, which must be of this machine. */
export function localAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !LOCAL_HOSTS.has(url.hostname))
    throw new UsageError(
      `--forward needs an address of this machine, as http://localhost:3000/hook. Other endpoints are webhooks: cairn call createWebhook.`,
    );
  return url;
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!COUNT.test(text)) throw new UsageError('--count must be a number from 1.');
  return Number(text);
}

/** The secret in the file, or a new one for this run, which is printed so that the receiver can verify signatures. */
async function secretOf(session: Session, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    const secret = (await readFile(file, 'utf8')).trim();
    if (!SECRET.test(secret)) throw new UsageError(`${file} does not hold a signing secret, which begins with whsec_.`);
    return secret;
  }
  if (session.flags.quiet === true) throw new UsageError('With --quiet, name the signing secret with --secret-file.');
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  session.say(`Signing secret of this run: ${secret}`);
  return secret;
}
