/** Sets or clears a user's flag on the given messages. */
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { readMarksOf } from '../../actors/mailboxes';
import { badRequest } from '../../model/faults';
import { FLAG_NAMES, FLAGS, type FlagName } from '../../model/messages/message';
import { flagsChanged } from '../../model/reading/read-marks';
import { hasReceived, isReadByCursor, type MessageRef } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import { refs as refsOf } from '../../store/reading/narrowed-messages';
import * as readMarks from '../../store/reading/read-marks';
import * as readState from '../../store/reading/read-state';

export interface FlagChange {
  readonly messageIds: readonly number[];
  readonly operation: string;
  readonly flag: string;
}

type Editable = 'read' | 'starred' | 'collapsed';
const EDITABLE: ReadonlySet<string> = new Set<Editable>(['read', 'starred', 'collapsed']);
const KNOWN: ReadonlySet<string> = new Set(['read', ...FLAG_NAMES, 'historical']);

export async function updateFlags(
  transaction: Transact,
  by: User,
  { messageIds, operation, flag }: FlagChange,
): Promise<{ messages: readonly number[] }> {
  if (!KNOWN.has(flag)) throw badRequest(`Invalid flag: '${flag}'`);
  if (!EDITABLE.has(flag)) throw badRequest(`Flag not editable: '${flag}'`);
  if (operation !== 'add' && operation !== 'remove') throw badRequest(`Invalid flag operation: '${operation}'`);
  const ids = [...new Set(messageIds)];
  await transaction(async (tx) => {
    await readMarks.lock(tx.db, by.id);
    const change = { ids, flag: flag as Editable, isSet: operation === 'add' };
    const changed = flag === 'read' ? await changeRead(tx, by, change) : await changeRows(tx, by, change);
    for (const event of flagsChanged(by, operation, flag, changed)) tx.deliver(event);
  });
  return { messages: messageIds };
}

interface Change {
  readonly ids: readonly number[];
  readonly flag: Editable;
  readonly isSet: boolean;
}

async function receivedAmong({ db }: Tx, by: User, ids: readonly number[]) {
  const found = await refsOf(db, by.realmId, ids);
  const state = await readState.load(db, by.id, [...new Set(found.map(({ recipientId }) => recipientId))]);
  return { state, received: found.filter((ref) => hasReceived(state, ref)) };
}

/** Stores exceptions only for messages whose state differs from what the cursors say. */
async function changeRead(tx: Tx, by: User, { ids, isSet }: Change): Promise<number[]> {
  const { state, received } = await receivedAmong(tx, by, ids);
  if (received.length === 0 && ids.length > 0) throw invalidMessages();
  const marks = await readState.marksOf(tx.db, by.id, received);
  const [plain, except] = [[] as MessageRef[], [] as MessageRef[]];
  for (const ref of received) (isReadByCursor(state, ref, marks) === isSet ? plain : except).push(ref);
  const dropped = plain.map(({ id }) => id).filter((id) => marks.isRead.has(id));
  await readMarks.dropExceptions(tx.db, by.id, dropped);
  await readMarks.insertExceptions(tx.db, by.id, except, isSet);
  const places = new Map(except.map((ref) => [`${ref.recipientId}/${ref.topicId}`, ref]));
  const touched = [...places.values()].map(({ recipientId, topicId }) => ({ recipientId, topicId }));
  const mark = { realmId: by.realmId, userId: by.id, touched };
  if (isSet && touched.length > 0) readMarksOf(by.realmId, by.id).send(tx, mark);
  return received.map(({ id }) => id);
}

/** Any visible message can be starred, received or not; unreceived ones only one at a time, as in Zulip. */
async function changeRows(tx: Tx, by: User, { ids, flag, isSet }: Change): Promise<number[]> {
  const { received } = await receivedAmong(tx, by, ids);
  const chosen = received.map(({ id }) => id);
  const [only] = ids;
  if (chosen.length === 0 && only !== undefined) {
    if (ids.length > 1 || flag !== 'starred') throw invalidMessages();
    chosen.push((await accessMessage(tx.db, by, only)).id);
  }
  await readMarks.changeFlag(tx.db, by.id, FLAGS[flag as FlagName], { ids: chosen, isSet });
  return chosen;
}
