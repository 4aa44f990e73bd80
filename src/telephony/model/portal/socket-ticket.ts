/** A ticket that a page sends to a socket instead of an API key. It names the session and is valid for a minute. */
import type { Secrets } from '../../../kernel/secrets/secrets';
import { isSame } from '../../../kernel/secrets/signatures';

const TICKET = /^ticket\.(\d{1,10})\.(\d{1,15})\.[\w-]{43}$/;
export const TICKET_MS = 60_000;

/** No key starts like this, because keys consist of letters and digits. */
export const isTicket = (token: string): boolean => token.startsWith('ticket.');

export function makeTicket(secrets: Secrets, sessionId: number, endsAt: Date): string {
  const named = `${sessionId}.${endsAt.getTime()}`;
  return `ticket.${named}.${secrets.token('socket-ticket', named)}`;
}

/** The session id in a ticket; undefined if the ticket is forged or expired. */
export function readTicket(secrets: Secrets, ticket: string, now: Date): number | undefined {
  const [, id, endsAt] = TICKET.exec(ticket) ?? [];
  if (id === undefined || Number(endsAt) <= now.getTime()) return undefined;
  return isSame(ticket, makeTicket(secrets, Number(id), new Date(Number(endsAt)))) ? Number(id) : undefined;
}
