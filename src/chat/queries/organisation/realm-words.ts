/** The words in which the server speaks to an organisation. */
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmId } from '../../model/organisation/realm';
import { chatWords, type ChatWords } from '../../model/texts/chat-words';
import * as realms from '../../store/organisation/realms';

export async function wordsOfRealm(db: Database, realmId: RealmId): Promise<ChatWords> {
  const realm = await realms.byId(db, realmId);
  return chatWords(realm?.settings.default_language ?? '');
}
