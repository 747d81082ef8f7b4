import { newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Ticket, TicketSigner, TicketVerifier } from '@cairn/identity';
import type { Database } from '@cairn/postgres';

const FURTHER_CONNECTION_MS = 10 * 60_000;
const PAGE_MS = 24 * 3_600_000;

export interface TicketDeps {
  ticketSigner: TicketSigner;
  tickets: TicketVerifier;
  /** Without a trailing slash. */
  baseUrl: string;
  connectWithinMs: number;
}

/** The credential and the run that a ticket stands for. */
export interface TicketHolder {
  threadId: string;
  credentialId: string;
}

/**
 * The URL of a run's WebSocket, with a single-use ticket: valid for 1 h for the first connection, 10 min for others.
 */
export async function socketUrl(deps: TicketDeps, holder: TicketHolder, first: boolean): Promise<string> {
  const ticket = await sign(deps, holder, 'socket', first ? deps.connectWithinMs : FURTHER_CONNECTION_MS);
  return `${deps.baseUrl.replace(/^http/, 'ws')}/api/v1/search/socket/${holder.threadId}?ticket=${ticket}`;
}

/** The URL of a run's live page, with a reusable ticket for a day. */
export async function pageUrl(deps: TicketDeps, holder: TicketHolder): Promise<string> {
  return `${deps.baseUrl}/research/live/${holder.threadId}?ticket=${await sign(deps, holder, 'page', PAGE_MS)}`;
}

function sign(deps: TicketDeps, holder: TicketHolder, use: Ticket['use'], lifetimeMs: number): Promise<string> {
  return deps.ticketSigner.sign({
    ticketId: newId('ticket'),
    threadId: holder.threadId,
    credentialId: holder.credentialId,
    use,
    untilMs: Date.now() + lifetimeMs,
  });
}

/** Returns the ticket if it admits this credential to this run; otherwise throws a 401. */
export async function checkTicket(
  deps: Pick<TicketDeps, 'tickets'>,
  text: string,
  expected: TicketHolder & { use: Ticket['use'] },
): Promise<Ticket> {
  const check = await deps.tickets.verify(text);
  if (!check.ok && check.denial === 'expired') throw new CairnError('credential_expired', 'The ticket has expired.');
  const fits =
    check.ok &&
    check.ticket.threadId === expected.threadId &&
    check.ticket.credentialId === expected.credentialId &&
    check.ticket.use === expected.use;
  if (!fits) throw new CairnError('credential_invalid', 'The ticket is not valid here.');
  return check.ticket;
}

/** Redeems a single-use ticket. Throws when it was used before. */
export async function redeemTicket(database: Database, tenantId: string, ticket: Ticket): Promise<void> {
  const spent = await database.withTenant(tenantId, (tx) =>
    tx.execute(
      `INSERT INTO used_tickets (tenant_id, ticket_id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [tenantId, ticket.ticketId, new Date(ticket.untilMs)],
    ),
  );
  if (spent === 0)
    throw new CairnError('credential_invalid', 'The ticket was used. The status of the run has a fresh one.');
}

/** Deletes expired tickets. Needs the worker role. */
export async function deleteExpiredTickets(workerDatabase: Database): Promise<void> {
  await workerDatabase.transaction((tx) => tx.execute(`DELETE FROM used_tickets WHERE expires_at < now()`));
}
