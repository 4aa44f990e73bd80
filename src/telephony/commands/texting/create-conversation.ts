/** Creates a conversation with people outside the company. An existing direct conversation is returned as it is. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { companyDelivery } from '../../model/companies/company-event';
import type { Caller } from '../../model/contacts/contact';
import { invalid, existing } from '../../model/faults';
import {
  DEFAULT_TIMEZONE,
  MIN_MEMBERS,
  MAX_MEMBERS,
  type TextingContact,
  unseenView,
  type Conversation,
} from '../../model/texting/conversation';
import type { EnteredNumber } from '../../model/texting/phone-number';
import type { ConversationType, E164, ConversationId } from '../../model/texting/texting';
import {
  noTextingContact,
  notOurNumber,
  usedForAnother,
  whichNumber,
  noConversation,
} from '../../model/texting/texting-faults';
import { conversationObject, type ConversationObject } from '../../model/texting/texting-wire';
import { presentConversation } from '../../queries/texting/conversations';
import * as users from '../../store/contacts/contacts';
import * as views from '../../store/texting/conversation-views';
import * as conversations from '../../store/texting/conversations';
import * as numbers from '../../store/texting/text-numbers';
import * as contacts from '../../store/texting/texting-contacts';

/** A number, or the id of a texting contact. */
export type Recipient = { readonly number: EnteredNumber } | { readonly id: string };

export interface ConversationDraft {
  readonly recipients: readonly Recipient[];
  readonly fromNumber: EnteredNumber | undefined;
  /** Defaults by the number of recipients. */
  readonly type: ConversationType | undefined;
  readonly name: string;
  readonly timezone: string | undefined;
  /** A repeated key returns the first conversation. */
  readonly idempotencyKey: string | undefined;
}

export interface Created {
  readonly conversation: object;
  readonly isNew: boolean;
}

export function createConversation(kernel: Storage, by: Caller, draft: ConversationDraft): Promise<Created> {
  return kernel.transaction(async (tx) => {
    const fromNumber = await ourNumber(tx, by, draft.fromNumber);
    const members = await membersOf(tx, by, draft.recipients);
    const type = draft.type ?? (members.length === 1 ? 'direct' : 'group');
    checkMembers(type, members, fromNumber);
    const { companyId, contactId } = by;
    const timezone = draft.timezone ?? (await timezoneOf(tx.db, by));
    const name = type === 'direct' ? '' : draft.name;
    const at = kernel.clock.now();
    const origin = originOf(kernel.secrets, by, draft.idempotencyKey);
    const begun = await beginConversation(tx, { companyId, type, name, fromNumber, members, timezone, at, origin });
    if (begun.made) return { conversation: begun.made, isNew: true };
    const conversation = await presentConversation(tx.db, contactId, begun.conversation);
    const asked = [type, name, fromNumber, members.map(({ id }) => id)];
    const { conversation_type, name: itsName, from_number, recipients } = conversation;
    const isSame = JSON.stringify([conversation_type, itsName, from_number, recipients]) === JSON.stringify(asked);
    ensure(isSame, usedForAnother('Idempotency-Key', 'conversation'));
    return { conversation, isNew: false };
  });
}

const originOf = (secrets: Secrets, by: Caller, key: string | undefined): string | undefined =>
  key === undefined ? undefined : secrets.lookup(JSON.stringify(['conversation', by.companyId, by.contactId, key]));

/** The user's timezone, or the default if they set none. */
export async function timezoneOf(db: Tx['db'], by: Caller): Promise<string> {
  const user = await users.byId(db, by.companyId, by.contactId);
  return user?.details.timezone || DEFAULT_TIMEZONE;
}

async function ourNumber({ db }: Tx, by: Caller, given: EnteredNumber | undefined): Promise<E164> {
  if (given) {
    const found = await numbers.ofCompany(db, by.companyId, given.e164);
    if (!found) throw notOurNumber(given.raw);
    return found.e164;
  }
  const all = await numbers.list(db, by.companyId);
  ensure(all.length === 1, whichNumber());
  return all[0]!.e164;
}

async function membersOf({ db }: Tx, by: Caller, recipients: readonly Recipient[]): Promise<TextingContact[]> {
  const ids = recipients.flatMap((recipient) => ('id' in recipient ? recipient.id : []));
  const byId = new Map((await contacts.byIds(db, by.companyId, ids)).map((contact) => [contact.id as string, contact]));
  for (const id of ids) ensure(byId.has(id), noTextingContact());
  const entered = recipients.flatMap((recipient) => ('number' in recipient ? recipient.number : []));
  const byNumber = new Map(
    (await contacts.ensureAll(db, by.companyId, entered)).map((contact) => [contact.number, contact]),
  );
  const members = recipients.map((recipient) =>
    'id' in recipient ? byId.get(recipient.id)! : byNumber.get(recipient.number.e164)!,
  );
  return [...new Map(members.map((member) => [member.id, member])).values()];
}

function checkMembers(type: ConversationType, members: readonly TextingContact[], fromNumber: E164): void {
  ensure(!members.some(({ number }) => number === fromNumber), invalid('recipients: from_number is one of them'));
  if (type === 'direct') ensure(members.length === 1, invalid('recipients: a direct conversation has one'));
  else {
    const fits = members.length >= MIN_MEMBERS && members.length <= MAX_MEMBERS;
    ensure(fits, invalid(`recipients: a ${type} has ${MIN_MEMBERS} to ${MAX_MEMBERS} different ones`));
  }
}

export type Beginning = Omit<conversations.NewConversation, 'id'>;

export interface Begun {
  readonly conversation: Conversation;
  /** The published object; undefined if the conversation already existed. */
  readonly made: ConversationObject | undefined;
}

/** Finds or creates a conversation within a transaction and publishes a new one. The caller then holds its row lock. */
export async function beginConversation(tx: Tx, beginning: Beginning): Promise<Begun> {
  const { db } = tx;
  const { companyId, fromNumber, type, members } = beginning;
  // Direct conversations are matched by their members, others only by idempotency key.
  const origin = type === 'direct' ? undefined : beginning.origin;
  const find = () => {
    if (type === 'direct') return conversations.lockDirect(db, { companyId, fromNumber, contactId: members[0]!.id });
    return origin === undefined ? undefined : conversations.lockByOrigin(db, origin);
  };
  const known = await find();
  if (known) return { conversation: known, made: undefined };

  const id = newId() as ConversationId;
  await conversations.insert(db, { ...beginning, origin, id });
  const conversation = (await find()) ?? (await conversations.lock(db, companyId, id));
  // Another transaction created it at the same time.
  if (conversation!.id !== id) return { conversation: conversation!, made: undefined };
  await conversations.insertMembers(db, { ...beginning, id });
  const made = conversationObject(conversation!, { members, lastMessage: null, view: unseenView });
  tx.deliver(companyDelivery(companyId, 'texting.chat.new', made));
  return { conversation: conversation!, made };
}

/** Pins a conversation to the top of a user's own list, or unpins it. */
export function pinConversation(
  kernel: Storage,
  by: Caller,
  { id, isPinned }: { id: string; isPinned: boolean },
): Promise<object> {
  return kernel.transaction(async ({ db }) => {
    const conversation = existing(await conversations.byId(db, by.companyId, id), noConversation);
    await views.pin(db, by.contactId, conversation.id, isPinned ? kernel.clock.now() : null);
    return presentConversation(db, by.contactId, conversation);
  });
}
