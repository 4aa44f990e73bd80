/** Saves, changes and deletes a person's own drafts, and tells their other clients. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import {
  badDraftTime,
  emptyDraft,
  MAX_DRAFT_BYTES,
  MAX_DRAFT_LENGTH,
  MAX_DRAFT_RECIPIENTS,
  MAX_DRAFT_TIME,
  MAX_DRAFT_TOPIC,
  MAX_DRAFTS,
  notOneStream,
  tooManyDrafts,
  tooManyRecipients,
  type DraftFields,
} from '../../model/drafts/saved-draft';
import { noSuchDraft } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as savedDrafts from '../../store/drafts/saved-drafts';
import * as users from '../../store/users/users';

type Parts = Pick<Chat, 'transaction'>;
type Op = 'add' | 'update' | 'remove';

export async function createDrafts({ transaction }: Parts, by: User, written: readonly DraftFields[]) {
  const drafts = written.map(checkDraft);
  if (drafts.length === 0) return { ids: [] };
  return transaction(async (tx) => {
    await lockDrafts(tx, by);
    const ids: number[] = [];
    for (const draft of drafts) ids.push(await savedDrafts.insert(tx.db, by, draft));
    await checkSize(tx, by);
    publish(tx, by, 'add', { drafts: drafts.map((draft, index) => ({ id: ids[index]!, ...draft })) });
    return { ids };
  });
}

export async function updateDraft({ transaction }: Parts, by: User, id: number, written: DraftFields) {
  const draft = { id, ...checkDraft(written) };
  await transaction(async (tx) => {
    await lockDrafts(tx, by);
    ensure(await savedDrafts.update(tx.db, by.id, draft), noSuchDraft());
    await checkSize(tx, by);
    publish(tx, by, 'update', { draft });
  });
  return {};
}

export async function removeDraft({ transaction }: Parts, by: User, id: number) {
  await transaction(async (tx) => {
    await lockDrafts(tx, by);
    ensure(await savedDrafts.remove(tx.db, by.id, id), noSuchDraft());
    publish(tx, by, 'remove', { draft_id: id });
  });
  return {};
}

/** So that the limits hold, and events have the order of the changes. */
const lockDrafts = (tx: Tx, by: User) => users.lock(tx.db, by.realmId, by.id);

const publish = (tx: Tx, by: User, op: Op, fields: object): void =>
  tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'drafts', op, ...fields }));

function checkDraft(draft: DraftFields): DraftFields {
  const { type, to, timestamp } = draft;
  const content = firstOf(draft.content.trimEnd(), MAX_DRAFT_LENGTH);
  ensure(content.trim() !== '', emptyDraft());
  ensure(timestamp >= 0, badDraftTime());
  ensure(type !== 'stream' || to.length === 1, notOneStream());
  ensure(to.length <= MAX_DRAFT_RECIPIENTS, tooManyRecipients());
  const topic = type === 'stream' ? firstOf(draft.topic.trim(), MAX_DRAFT_TOPIC) : '';
  return {
    type,
    to: type === '' ? [] : to,
    topic,
    content,
    timestamp: Math.min(Math.floor(timestamp), MAX_DRAFT_TIME),
  };
}

/** As the text of a message is cut off, in code points. */
const firstOf = (text: string, length: number): string =>
  text.length <= length ? text : Array.from(text).slice(0, length).join('');

async function checkSize(tx: Tx, by: User): Promise<void> {
  const { count, bytes } = await savedDrafts.sizeOf(tx.db, by.id);
  ensure(count <= MAX_DRAFTS && bytes <= MAX_DRAFT_BYTES, tooManyDrafts());
}
