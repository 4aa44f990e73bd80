/** Sends a text: it is queued in its conversation, and a worker hands it to the carrier, in order. */
import { ensure } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { isDuplicate } from '../../kernel/mysql/outcome';
import type { Tx } from '../../kernel/mysql/transaction';
import type { Caller } from '../model/contact';
import type { Conversation, TextingContact } from '../model/conversation';
import { noConversation, noMessage, noSuchFile, notOurNumber, optedOut, usedForAnother } from '../model/texting-faults';
import type { MessageObject } from '../model/texting-wire';
import { presentTexts } from '../queries/present-texts';
import * as conversations from '../store/conversations';
import * as optOuts from '../store/opt-outs';
import * as textFiles from '../store/text-files';
import * as numbers from '../store/text-numbers';
import * as texts from '../store/texts';
import { timezoneOf } from './create-conversation';
import { writeOutbound } from './write-text';

export interface TextDraft {
  readonly conversationId: string;
  readonly text: string;
  readonly fileIds: readonly string[];
  /** The client's own name for it: the same again is the same text again. */
  readonly stampId: string | null;
  readonly idempotencyKey: string | undefined;
}

export async function sendText(kernel: Kernel, by: Caller, draft: TextDraft): Promise<MessageObject> {
  const send = () => kernel.transaction((tx) => sendIn(tx, by, draft, kernel.clock.now()));
  // Twice at once under one stamp: one of them is the text, the other finds it.
  return send().catch((error: unknown) => (isDuplicate(error) ? send() : Promise.reject(error as Error)));
}

async function sendIn(tx: Tx, by: Caller, draft: TextDraft, at: Date): Promise<MessageObject> {
  const { db } = tx;
  const conversation = await conversations.lock(db, by.companyId, draft.conversationId);
  if (!conversation) throw noConversation();
  const before = await sentBefore(db, by, conversation, draft);
  if (before) return before;

  const { fromNumber } = conversation;
  const number = await numbers.ofCompany(db, by.companyId, fromNumber);
  if (!number) throw notOurNumber(fromNumber);
  const members = await conversations.holdMembers(db, conversation.id);
  await checkConsent(db, conversation, members);
  const files = await textFiles.usable(db, by.companyId, draft.fileIds);
  for (const id of draft.fileIds)
    ensure(
      files.some((file) => file.id === id),
      noSuchFile(id),
    );
  const { message } = await writeOutbound(
    tx,
    { conversation, members, at },
    {
      ...draft,
      files,
      carrierAccountId: number.carrierAccountId,
      sender: { id: by.contactId, timezone: await timezoneOf(db, by) },
    },
  );
  return message;
}

async function sentBefore(
  db: Tx['db'],
  by: Caller,
  conversation: Conversation,
  draft: TextDraft,
): Promise<MessageObject | undefined> {
  const from = { conversationId: conversation.id, senderId: by.contactId };
  const before = await texts.sentBefore(db, from, draft);
  if (!before) return undefined;
  if (before.isDeleted) throw noMessage();
  const [message] = await presentTexts(db, by.contactId, conversation, [before.text]);
  const fileIds = (message!['files'] as { id: string }[]).map(({ id }) => id);
  const isSame = before.text.text === draft.text && fileIds.join() === draft.fileIds.join();
  ensure(isSame, usedForAnother(before.by, 'message'));
  return message;
}

async function checkConsent(
  db: Tx['db'],
  { companyId, fromNumber: ourNumber }: Conversation,
  members: readonly TextingContact[],
): Promise<void> {
  const refusing = await optOuts.among(db, { companyId, ourNumber, numbers: members.map(({ number }) => number) });
  ensure(refusing.length === 0, optedOut(ourNumber, refusing));
}
