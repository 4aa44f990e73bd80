/** A browser session: the browser and address that a user signed in from. */
import { sessionCookie } from '../../../kernel/page-session';

declare const session: unique symbol;
export type SessionId = number & { readonly [session]: true };

export interface Session {
  readonly id: SessionId;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export const CHAT_COOKIE = sessionCookie('partyline_session');
