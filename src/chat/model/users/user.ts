/** Somebody who chats: a person or a bot. */
import { emailKey, hasInvisible } from '../../../kernel/email-key';
import type { RealmId } from '../organisation/realm';

declare const user: unique symbol;
export type UserId = number & { readonly [user]: true };

export type Role = 'admin' | 'member' | 'guest';

/** As on the wire: 1 generic, 2 incoming webhook, 3 outgoing webhook. */
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
  readonly isActive: boolean;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly timezone: string;
  /** The message the user last looked at; −1 before any. */
  readonly pointer: number;
  readonly joinedAt: Date;
  /** The unguessable part of the address of an uploaded avatar; null: the default one. */
  readonly avatarKey: string | null;
  readonly avatarVersion: number;
}

const EMAIL = /^[^\s@:]{1,64}@[^\s@:]{1,189}$/;

/** No more than telling an address from a name: whether mail arrives there is not ours to know. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && !hasInvisible(text) && EMAIL.test(emailKey(text));

/** Letters and digits, as clients check it. */
export const KEY_LENGTH = 32;
export const isKeyShaped = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text);

/** As the real server calls the account in whose name it speaks: clients know it by its address. */
export const SYSTEM_BOT_EMAIL = 'notification-bot@zulip.com';
