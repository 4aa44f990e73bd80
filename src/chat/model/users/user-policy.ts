/** Who may do what to whom, and the rules for names. */
import { ensure, type Fault } from '../../../kernel/fault';
import { badRequest } from '../faults';
import { lengthOf } from '../text-length';
import {
  adminsOnly,
  badNameOrUsername,
  insufficientPermission,
  nameTooLong,
  nameTooShort,
  notForBots,
  notForGuests,
  ownersOnly,
} from './user-faults';
import { isOwner } from './role';
import type { User } from './user';

export const isBot = (user: User): boolean => user.botType !== null;

/** The account that sends the server's own messages. It has no owner, and nobody may change it. */
export const isSystemBot = (user: User): boolean => isBot(user) && user.botOwnerId === null;

export function ensureAdmin(by: User): void {
  ensure(by.role === 'admin', adminsOnly());
}

/** Owners are managed by owners alone. */
export function ensureMayManage(by: User, user: User): void {
  ensure(!isOwner(user) || isOwner(by), ownersOnly());
}

export function ensureHuman(by: User): void {
  ensure(!isBot(by), notForBots());
}

export function ensureNotGuest(by: User): void {
  ensure(by.role !== 'guest', notForGuests());
}

/** Neither guests nor bots. */
export function ensureMember(by: User): void {
  ensureNotGuest(by);
  ensureHuman(by);
}

const mayRun = (by: User, bot: User): boolean => bot.botOwnerId === by.id || by.role === 'admin';

export function ensureMayRun(by: User, bot: User): void {
  ensure(mayRun(by, bot), insufficientPermission());
}

const MIN_NAME = 2;
const MAX_NAME_LENGTH = 100;
/** These would end a mention or a quotation early; control characters are invisible. */
const BAD_CHARACTERS = /[*`\\>"@\p{Cc}]/gu;

function mistakeIn(name: string): Fault | undefined {
  const length = lengthOf(name);
  if (length > MAX_NAME_LENGTH) return nameTooLong();
  if (length < MIN_NAME) return nameTooShort();
  return name.search(BAD_CHARACTERS) === -1 ? undefined : badRequest('Invalid characters in name!');
}

/** Returns the name as stored. */
export function checkFullName(written: string): string {
  const name = written.trim();
  const mistake = mistakeIn(name);
  if (mistake) throw mistake;
  return name;
}

/** The name if it is allowed. Otherwise the address up to the @ without forbidden characters; all of it if that is short. */
export function nameOrAddress(written: string, email: string): string {
  const end = email.lastIndexOf('@');
  const clean = (text: string) => text.replaceAll(BAD_CHARACTERS, '');
  const names = [written, clean(email.slice(0, end)), clean(email.replace('@', ' '))].map((name) => name.trim());
  return names.find((name) => mistakeIn(name) === undefined) ?? 'User';
}

/** The part before `-bot@` in a bot's email address. */
export function checkBotName(written: string): string {
  const name = written.trim();
  if (!/^[^\s@:,<>"]{1,60}$/.test(name)) throw badNameOrUsername();
  return name;
}
