const TICKET = /^#ticket=([A-Za-z0-9_-]{8,200})$/;

/** The one-time ticket in the address, which is taken out of it before anything else happens. */
export function takeTicket(): string | null {
  const ticket = TICKET.exec(location.hash)?.[1] ?? null;
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}
