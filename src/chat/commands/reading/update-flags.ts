/** Sets or clears a user's flag on the given messages. */
import { runRead } from '../../../kernel/mysql/read-packet';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { readMarksOf } from '../../actors/mailboxes';
import { badRequest } from '../../model/faults';
import { FLAG_NAMES, FLAGS, MENTIONS, TRAITS, type FlagName } from '../../model/messages/message';
import { detailsOf, flagsChanged, type MessageDetails } from '../../model/reading/read-marks';
import { hasReceived, isReadByCursor, type MessageRef } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import * as readMarks from '../../store/reading/read-marks';
import { marksOf } from '../../store/reading/read-state';
import { namesRead } from '../../store/reading/unread';

export interface FlagChange {
  readonly messageIds: readonly number[];
  readonly operation: string;
  readonly flag: string;
}

type Editable = 'read' | 'starred' | 'collapsed';
const EDITABLE: ReadonlySet<string> = new Set<Editable>(['read', 'starred', 'collapsed']);
const KNOWN: ReadonlySet<string> = new Set(['read', ...FLAG_NAMES, 'historical']);

/** Returns the operation. */
export function checkFlagChange({ operation, flag }: Pick<FlagChange, 'operation' | 'flag'>): 'add' | 'remove' {
  if (!KNOWN.has(flag)) throw badRequest(`Invalid flag: '${flag}'`);
  if (!EDITABLE.has(flag)) throw badRequest(`Flag not editable: '${flag}'`);
  if (operation !== 'add' && operation !== 'remove') throw badRequest(`Invalid flag operation: '${operation}'`);
  return operation;
}

export async function updateFlags(
  transaction: Transact,
  by: User,
  { messageIds, flag, ...change }: FlagChange,
): Promise<{ messages: readonly number[] }> {
  const operation = checkFlagChange({ ...change, flag });
  const ids = [...new Set(messageIds)];
  if (ids.length === 0) return { messages: messageIds };
  await transaction(async (tx) => {
    const { refs, ...known } = await runRead(tx.db, readMarks.lockedRead(by, ids));
    const received = refs.filter((ref) => hasReceived(known.state, ref));
    const wanted = { ...known, ids, received, flag: flag as Editable, isSet: operation === 'add' };
    const changed = flag === 'read' ? changeRead(tx, by, wanted) : await changeRows(tx, by, wanted);
    const details = flag === 'read' && operation === 'remove' ? await placesOf(tx, by, received) : undefined;
    for (const event of flagsChanged(by, operation, flag, { ids: changed, details })) tx.deliver(event);
  });
  return { messages: messageIds };
}

/** Only marking as unread pays for this. */
async function placesOf({ db }: Tx, by: User, refs: readonly MessageRef[]): Promise<MessageDetails> {
  const names = await runRead(db, namesRead(refs));
  const { flags } = await marksOf(db, by.id, refs);
  const isMentioned = ({ id, traits }: MessageRef) =>
    MENTIONS.some((flag) => flags.get(id)?.has(flag)) || (traits & TRAITS.wildcard) !== 0;
  return detailsOf(by.id, { refs, ...names, isMentioned });
}

interface Change extends Omit<readMarks.MarkedMessages, 'refs'> {
  readonly ids: readonly number[];
  readonly received: readonly MessageRef[];
  readonly flag: Editable;
  readonly isSet: boolean;
}

/** Stores exceptions only for messages whose state differs from what the cursors say. */
function changeRead(tx: Tx, by: User, { state, received, marks, isSet }: Change): number[] {
  if (received.length === 0) throw invalidMessages();
  const [plain, except] = [[] as MessageRef[], [] as MessageRef[]];
  for (const ref of received) (isReadByCursor(state, ref, marks) === isSet ? plain : except).push(ref);
  const dropped = plain.map(({ id }) => id).filter((id) => marks.isRead.has(id));
  for (const statement of readMarks.dropExceptions(by.id, dropped)) tx.writeLast(statement);
  for (const statement of readMarks.insertExceptions(by.id, except, isSet)) tx.writeLast(statement);
  const places = new Map(except.map((ref) => [`${ref.recipientId}/${ref.topicId}`, ref]));
  const touched = [...places.values()].map(({ recipientId, topicId }) => ({ recipientId, topicId }));
  const mark = { realmId: by.realmId, userId: by.id, touched };
  // Also if nothing has to be folded: a message that was marked as unread may be shown somewhere.
  if (isSet && touched.length + dropped.length > 0) readMarksOf(by.realmId, by.id).send(tx, mark);
  return received.map(({ id }) => id);
}

/** Any visible message can be starred, received or not; unreceived ones only one at a time, as in Zulip. */
async function changeRows(tx: Tx, by: User, { ids, received, flag, isSet }: Change): Promise<number[]> {
  const chosen = received.map(({ id }) => id);
  const [only] = ids;
  if (chosen.length === 0 && only !== undefined) {
    if (ids.length > 1 || flag !== 'starred') throw invalidMessages();
    chosen.push((await accessMessage(tx.db, by, only)).id);
  }
  const changes = readMarks.changeFlag(by.id, FLAGS[flag as FlagName], { ids: chosen, isSet });
  for (const statement of changes) tx.writeLast(statement);
  return chosen;
}
