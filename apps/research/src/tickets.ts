import { newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Ticket, TicketSigner, TicketVerifier } from '@cairn/identity';
import type { Database } from '@cairn/postgres';

const FURTHER_CONNECTION_MS = 10 * 60_000;
const PAGE_MS = 24 * 3_600_000;

export interface TicketParts {
  ticketSigner: TicketSigner;
  tickets: TicketVerifier;
  /** Without a trailing slash. */
  baseUrl: string;
  connectWithinMs: number;
}

/** Whose credential a ticket stands for, and for which run. */
export interface TicketHolder {
  threadId: string;
  credentialId: string;
}

/** The address of a run's WebSocket, with a ticket for one connection: 1 h for the first, 10 min for a further one. */
export async function socketUrl(parts: TicketParts, holder: TicketHolder, first: boolean): Promise<string> {
  const ticket = await sign(parts, holder, 'socket', first ? parts.connectWithinMs : FURTHER_CONNECTION_MS);
  return `${parts.baseUrl.replace(/^http/, 'ws')}/api/v1/search/socket/${holder.threadId}?ticket=${ticket}`;
}

/** The address of a run's page, with a ticket that shows it for a day, as often as it is opened. */
export async function pageUrl(parts: TicketParts, holder: TicketHolder): Promise<string> {
  return `${parts.baseUrl}/research/live/${holder.threadId}?ticket=${await sign(parts, holder, 'page', PAGE_MS)}`;
}

function sign(parts: TicketParts, holder: TicketHolder, use: Ticket['use'], lifetimeMs: number): Promise<string> {
  return parts.ticketSigner.sign({
    ticketId: newId('ticket'),
    threadId: holder.threadId,
    credentialId: holder.credentialId,
    use,
    untilMs: Date.now() + lifetimeMs,
  });
}

/** The ticket if it opens this for that caller; throws the caller's 401. */
export async function checkTicket(
  parts: Pick<TicketParts, 'tickets'>,
  text: string,
  wanted: TicketHolder & { use: Ticket['use'] },
): Promise<Ticket> {
  const check = await parts.tickets.verify(text);
  if (!check.ok && check.denial === 'expired') throw new CairnError('credential_expired', 'The ticket has expired.');
  const fits =
    check.ok &&
    check.ticket.threadId === wanted.threadId &&
    check.ticket.credentialId === wanted.credentialId &&
    check.ticket.use === wanted.use;
  if (!fits) throw new CairnError('credential_invalid', 'The ticket is not valid here.');
  return check.ticket;
}

/** Takes the ticket for the one connection it is for; throws when it was taken before. */
export async function spendTicket(database: Database, tenantId: string, ticket: Ticket): Promise<void> {
  const spent = await database.withTenant(tenantId, (tx) =>
    tx.execute(
      `INSERT INTO used_tickets (tenant_id, ticket_id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [tenantId, ticket.ticketId, new Date(ticket.untilMs)],
    ),
  );
  if (spent === 0)
    throw new CairnError('credential_invalid', 'The ticket was used. The status of the run has a fresh one.');
}

/** Forgets tickets that are of no use any more. Needs the worker role. */
export async function forgetTickets(workerDatabase: Database): Promise<void> {
  await workerDatabase.transaction((tx) => tx.execute(`DELETE FROM used_tickets WHERE expires_at < now()`));
}
