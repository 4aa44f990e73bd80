/** A user of chat: a person or a bot. */
import { emailKey } from '../../../kernel/secrets/email-key';
import type { RealmId } from '../organisation/realm';

declare const user: unique symbol;
export type UserId = number & { readonly [user]: true };

export type Role = 'admin' | 'member' | 'guest';
/** Of administrators, and of members: see role.ts. */
export type Title = 'owner' | 'moderator';

/** Numbers in the wire format: 1 generic, 2 incoming webhook, 3 outgoing webhook. */
export type BotType = 1 | 2 | 3;
export const INCOMING_WEBHOOK: BotType = 2;
export const OUTGOING_WEBHOOK: BotType = 3;

export interface User {
  readonly id: UserId;
  readonly realmId: RealmId;
  readonly email: string;
  readonly fullName: string;
  readonly shortName: string;
  readonly role: Role;
  readonly title: Title | null;
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly timezone: string;
  /** The message that the user last looked at; −1 if none. */
  readonly pointer: number;
  readonly joinedAt: Date;
  /** The unguessable part of an uploaded avatar's URL; null for the default avatar. */
  readonly avatarKey: string | null;
  readonly avatarVersion: number;
}

const EMAIL = /^[^\s@:]{1,64}@[^\s@:]{1,189}$/;

/** Only distinguishes an address from a name. Whether mail arrives there is not checked. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && EMAIL.test(emailKey(text));

/** Letters and digits, as clients check it. */
export const KEY_LENGTH = 32;
export const isKeyShaped = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text);

/** Zulip's address of the account that sends the server's own messages, by which clients recognise it. */
export const SYSTEM_BOT_EMAIL = 'notification-bot@zulip.com';
