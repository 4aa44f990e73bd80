/** Marks what a notification is about as read, as its reader does from the notification itself. */
import type { Storage } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { newsOf } from '../../model/push/push-news';
import * as texts from '../../store/texting/texts';
import { markFaxRead } from '../files/change-faxes';
import { markTextsRead } from '../texting/mark-texts-read';

export interface Noticed {
  readonly tag: string;
  /** Of what the notification was about when it was shown: what has come since stays unread. */
  readonly ids: readonly number[];
}

export async function readPushed(kernel: Storage, by: Caller, { tag, ids }: Noticed): Promise<void> {
  const [first] = newsOf(tag, ids);
  if (!first) return;
  if ('faxId' in first) {
    await markFaxRead(kernel, by, first.faxId, true);
    return;
  }
  const { conversationId } = first;
  const messagesIds = await texts.idsOfInbound(kernel.mysql, conversationId, ids);
  await markTextsRead(kernel.transaction, by, { conversationId, messagesIds, timezone: undefined });
}
