/**
 * What a sweep for missed messages finds: organisations to scan, and users whose mail is due. Mentions of everybody have
 * addresses of their own, which nothing fills.
 */
import type { Database } from '../../../kernel/mysql/pool';
import type { Query } from '../../../kernel/mysql/read-together';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { REALM, USER } from '../../store/missed/missed-messages';
import { findDueMail, gatherMissed } from './mail-missed';
import { findUnscanned, noteMissed, type Scanning } from './note-missed';

export const findMissed = (chat: Pick<Chat, 'clock' | 'mail' | 'push'>, db: Database): readonly Query[] => [
  ...findUnscanned(chat, db),
  ...findDueMail(chat, db),
];

export async function fillMissed(chat: Scanning, address: string): Promise<void> {
  if (address.startsWith(REALM)) await noteMissed(chat, Number(address.slice(REALM.length)) as RealmId);
  else if (address.startsWith(USER)) await gatherMissed(chat, Number(address.slice(USER.length)) as UserId, address);
}
