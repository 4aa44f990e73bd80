/** One message, whole. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import { wireSubmessage } from '../../model/messages/submessage';
import type { User } from '../../model/users/user';
import * as submessages from '../../store/messages/submessages';
import { accessMessage } from '../messages/access-message';
import { type Presentation, presentRead } from './present-messages';

export async function getWholeMessage(
  db: Database,
  by: User,
  id: number,
  how: Presentation,
): Promise<Record<string, unknown>> {
  const found = await accessMessage(db, by, id);
  const budget = { anchor: id, bytes: Number.MAX_SAFE_INTEGER, wantsHtml: how.wantsHtml };
  const { present, added } = await runRead(
    db,
    together({
      present: presentRead(by, [found], how),
      added: submessages.fittingRead(by.realmId, [found.id], budget),
    }),
  );
  const parts = (added.get(id) ?? []).map((part) => wireSubmessage(id, part));
  return { raw_content: found.content, message: { ...present(found), submessages: parts } };
}
