/** Appends a text to its conversation and publishes it. The caller holds the conversation's row lock. */
import { newId } from '../../../kernel/id';
import type { Tx } from '../../../kernel/mysql/transaction';
import { textsToSend } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import { companyDelivery } from '../../model/companies/company-event';
import type { ContactId } from '../../model/contacts/contact';
import type { Conversation, Text, TextingContact } from '../../model/texting/conversation';
import { segmentsOf } from '../../model/texting/text-segments';
import type { CarrierAccountId, SendId, TextId } from '../../model/texting/texting';
import type { MessageObject } from '../../model/texting/texting-wire';
import { presentNew } from '../../queries/texting/texts';
import * as conversations from '../../store/texting/conversations';
import * as textFiles from '../../store/texting/text-files';
import * as sends from '../../store/texting/text-sends';
import * as texts from '../../store/texting/texts';

/** The conversation to append to, and the time. */
export interface Place {
  readonly conversation: Conversation;
  readonly members: readonly TextingContact[];
  readonly at: Date;
}

interface Draft {
  readonly text: string;
  /** As messages show them. */
  readonly files: readonly { readonly id: string }[];
}

export interface InboundDraft extends Draft {
  readonly origin: texts.Origin;
}

export interface OutboundDraft extends Draft {
  readonly carrierAccountId: CarrierAccountId;
  /** Null for an automatic answer. */
  readonly sender: { readonly id: ContactId; readonly timezone: string } | null;
  readonly stampId: string | null;
  readonly idempotencyKey: string | undefined;
}

export interface Written {
  readonly message: MessageObject;
  /** After the write. */
  readonly conversation: Conversation;
}

export function writeInbound(tx: Tx, place: Place, draft: InboundDraft): Written {
  const inboundSeq = place.conversation.inboundCount + 1;
  const own = { direction: 'inbound', status: 'received', inboundSeq, senderId: null, stampId: null } as const;
  return write(tx, place, { ...draft, own, timezone: place.conversation.timezone });
}

export function writeOutbound(tx: Tx, place: Place, draft: OutboundDraft): Written {
  const { sender, stampId, idempotencyKey, carrierAccountId } = draft;
  const senderId = sender?.id ?? null;
  const own = { direction: 'outbound', status: 'queued', inboundSeq: null, senderId, stampId } as const;
  const timezone = sender?.timezone ?? place.conversation.timezone;
  const written = write(tx, place, { ...draft, own, timezone, origin: { idempotencyKey } });
  const { id: conversationId, companyId, lastSeq: seq } = written.conversation;
  const textId = written.message.id as TextId;
  const numbers = place.members.map(({ number }) => number);
  const ids = numbers.map(() => newId() as SendId);
  tx.writeLast(sends.insertion({ textId, conversationId, seq, carrierAccountId, ids, numbers, at: place.at }));
  textsToSend.at(companyTenant(companyId), conversationId).send(tx, ...ids.map((sendId) => ({ sendId })));
  return written;
}

interface Whole extends InboundDraft {
  readonly own: Pick<Text, 'direction' | 'status' | 'inboundSeq' | 'senderId' | 'stampId'>;
  readonly timezone: string;
}

function write(tx: Tx, { conversation, members, at }: Place, draft: Whole): Written {
  const text: Text = {
    ...draft.own,
    id: newId() as TextId,
    companyId: conversation.companyId,
    conversationId: conversation.id,
    seq: conversation.lastSeq + 1,
    text: draft.text,
    segments: segmentsOf(draft.text).count,
    error: null,
    createdAt: at,
    updatedAt: at,
  };
  tx.writeLast(texts.insertion(text, draft.origin));
  const fileIds = draft.files.map(({ id }) => id);
  if (fileIds.length > 0) tx.writeLast(textFiles.attachment(text.id, fileIds));
  const now: Conversation = {
    ...conversation,
    lastSeq: text.seq,
    inboundCount: text.inboundSeq ?? conversation.inboundCount,
    lastTextId: text.id,
    lastActivityAt: at,
    updatedAt: at,
    timezone: draft.timezone,
  };
  tx.writeLast(conversations.updating(now));
  const message = presentNew(text, now, members[0]!, draft.files);
  tx.deliver(companyDelivery(conversation.companyId, 'texting.message.new', message));
  return { message, conversation: now };
}
