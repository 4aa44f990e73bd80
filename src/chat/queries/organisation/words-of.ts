/** The words in which the server speaks to an organisation, or to one of its people. */
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmId } from '../../model/organisation/realm';
import { chatWords, type ChatWords, wordsFor } from '../../model/texts/chat-words';
import type { User } from '../../model/users/user';
import * as realms from '../../store/organisation/realms';
import * as settings from '../../store/users/user-settings';

export async function wordsOfRealm(db: Database, realmId: RealmId): Promise<ChatWords> {
  const realm = await realms.byId(db, realmId);
  return chatWords(realm?.settings.default_language ?? '');
}

export async function wordsOfPerson(db: Database, { id, realmId }: Pick<User, 'id' | 'realmId'>): Promise<ChatWords> {
  const realm = await realms.byId(db, realmId);
  return realm ? wordsFor(realm, await settings.ofUser(db, id)) : chatWords('');
}
