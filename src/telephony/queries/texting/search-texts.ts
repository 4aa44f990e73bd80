/** Searches all texts of the caller's company. Everybody in it sees every conversation. */
import type { Database } from '../../../kernel/mysql/pool';
import type { FoundTextObject } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { existing } from '../../model/faults';
import { noMessage } from '../../model/texting/texting-faults';
import { textingContactObject } from '../../model/texting/texting-wire';
import * as conversations from '../../store/texting/conversations';
import * as textSearch from '../../store/texting/text-search';

const AT_ONCE = 30;
/** Read in a fraction of a second. Rare words of a busy company are found part by part. */
const WITHIN = 20_000;

interface Asked {
  readonly words: string;
  /** The text at which the part before ended. */
  readonly cursor: string | undefined;
}

export async function searchTexts(
  db: Database,
  by: Caller,
  { words, cursor }: Asked,
): Promise<{ readonly items: FoundTextObject[]; readonly next: string | undefined }> {
  const { companyId } = by;
  const before =
    cursor === undefined ? undefined : existing(await textSearch.placeOf(db, companyId, cursor), noMessage);
  const { found, next } = await textSearch.search(db, companyId, { words, before, limit: AT_ONCE, within: WITHIN });
  const members = await conversations.membersOf(db, [...new Set(found.map(({ conversationId }) => conversationId))]);
  const items = found.map((text) => ({
    id: text.id,
    conversation_id: text.conversationId,
    name: text.conversationName,
    contactsinfo: (members.get(text.conversationId) ?? []).map(textingContactObject),
    direction: text.direction,
    text: text.text,
    user_id: text.senderId,
    created_at: text.createdAt.toISOString(),
  }));
  return { items, next };
}
