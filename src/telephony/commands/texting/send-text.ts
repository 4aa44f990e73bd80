/** Sends a text: queues it in its conversation, and a worker passes it to the carrier in order. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx } from '../../../kernel/mysql/transaction';
import { existing } from '../../model/faults';
import type { Caller } from '../../model/contacts/contact';
import { DEFAULT_TIMEZONE, type Conversation } from '../../model/texting/conversation';
import {
  noConversation,
  noMessage,
  noSuchFile,
  notOurNumber,
  optedOut,
  usedForAnother,
} from '../../model/texting/texting-faults';
import type { MessageObject } from '../../model/texting/texting-wire';
import { presentTexts } from '../../queries/texting/texts';
import * as textFiles from '../../store/texting/text-files';
import { lockPlace } from '../../store/texting/text-places';
import type { SentBefore } from '../../store/texting/texts';
import { writeOutbound } from './write-text';

export interface TextDraft {
  readonly conversationId: string;
  readonly text: string;
  readonly fileIds: readonly string[];
  /** The client's own id for the text. A repeated id returns the first text. */
  readonly stampId: string | null;
  readonly idempotencyKey: string | undefined;
}

export async function sendText(kernel: Storage, by: Caller, draft: TextDraft): Promise<MessageObject> {
  const send = () => kernel.transaction((tx) => sendIn(tx, by, draft, kernel.clock.now()));
  // Two concurrent requests had the same stamp. The retry finds the text that the other one wrote.
  return send().catch((error: unknown) => (isDuplicate(error) ? send() : Promise.reject(error as Error)));
}

async function sendIn(tx: Tx, by: Caller, draft: TextDraft, at: Date): Promise<MessageObject> {
  const { db } = tx;
  const place = existing(await lockPlace(db, by, draft), noConversation);
  const { conversation, members, carrierAccountId, refusing } = place;
  if (place.before) return sameAgain(db, by, { conversation, before: place.before }, draft);

  const { fromNumber } = conversation;
  if (!carrierAccountId) throw notOurNumber(fromNumber);
  if (refusing.length > 0) throw optedOut(fromNumber, refusing);
  const files = await textFiles.usable(db, by.companyId, draft.fileIds);
  for (const id of draft.fileIds) if (!files.some((file) => file.id === id)) throw noSuchFile(id);
  const { message } = writeOutbound(
    tx,
    { conversation, members, at },
    {
      ...draft,
      files,
      carrierAccountId,
      sender: { id: by.contactId, timezone: place.timezone || DEFAULT_TIMEZONE },
    },
  );
  return message;
}

async function sameAgain(
  db: Tx['db'],
  by: Caller,
  { conversation, before }: { conversation: Conversation; before: SentBefore },
  draft: TextDraft,
): Promise<MessageObject> {
  if (before.isDeleted) throw noMessage();
  const [message] = await presentTexts(db, by.contactId, conversation, [before.text]);
  const fileIds = (message!['files'] as { id: string }[]).map(({ id }) => id);
  const isSame = before.text.text === draft.text && fileIds.join() === draft.fileIds.join();
  ensure(isSame, usedForAnother(before.by, 'message'));
  return message!;
}
