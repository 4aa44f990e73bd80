/**
 * Reads the messages of a narrow around an anchor. Common narrows take three round trips: open the narrow, find its
 * messages, read them with everything they refer to. Finding the first unread message takes one more.
 */
import { idsOf } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Message } from '../../model/messages/message';
import { wireSubmessage } from '../../model/messages/submessage';
import { fitting, keepOnly, type Outward, outwardOf } from '../../model/reading/message-budget';
import type { MessageRef } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import * as submessages from '../../store/messages/submessages';
import { matchOf } from './match-narrow';
import { type Presentation, presentRead } from './present-messages';
import { type Seeking, seekMessages } from './seek-messages';

interface Reading extends Presentation, Seeking {
  /** Size limit of the messages' JSON. At least one message beyond the anchor is always sent. */
  readonly limitBytes: number;
}

export async function getMessages(db: Database, by: User, reading: Reading): Promise<Record<string, unknown>> {
  const { limitBytes } = reading;
  const { scope, anchor, found: requested } = await seekMessages(db, by, reading);
  const outward = outwardOf(idsOf(requested.messages), anchor);
  const { ids, rows, present, added } = await readWhole(db, {
    by,
    requested: requested.messages,
    outward,
    anchor,
    reading,
  });
  const { words } = scope.narrow;
  const partsOf = (id: number) => (added.get(id) ?? []).map((part) => wireSubmessage(id, part));
  const shown = (row: Message) => ({
    ...present(row),
    submessages: partsOf(row.id),
    ...(words.size === 0 ? {} : matchOf(row, words)),
  });
  const whole = new Map(rows.map((row) => [row.id as number, shown(row)]));
  const sizes = new Map(ids.map((id) => [id, Buffer.byteLength(JSON.stringify(whole.get(id) ?? ''))]));
  const { messages: sent, ...ends } = keepOnly(requested, fitting({ ...outward, ids }, sizes, limitBytes));
  return { anchor, ...ends, history_limited: false, messages: sent.flatMap(({ id }) => whole.get(id) ?? []) };
}

/** Up to this many messages are read without checking their sizes. */
const FEW = 10;

interface Wanted {
  readonly by: User;
  readonly requested: readonly MessageRef[];
  readonly outward: Outward;
  readonly anchor: number;
  readonly reading: Reading;
}

/** Reads only messages whose content fits into the response, so that nothing is read in vain. */
async function readWhole(db: Database, { by, requested, outward, anchor, reading }: Wanted) {
  if (requested.length === 0) return { ids: [], rows: [], present: () => ({}), added: new Map<number, never[]>() };
  const isFew = requested.length <= FEW;
  const bytes = isFew ? Number.MAX_SAFE_INTEGER : reading.limitBytes;
  const budget = { anchor, bytes, wantsHtml: reading.wantsHtml };
  const { sized, present, added } = await runRead(
    db,
    together({
      sized: messages.sizedRead(by.realmId, outward.ids, budget),
      present: presentRead(by, requested, reading),
      added: submessages.fittingRead(by.realmId, outward.ids, budget),
    }),
  );
  // A message deleted meanwhile takes no space.
  const sizes = new Map(outward.ids.map((id) => [id, sized.sizes.get(id) ?? 0]));
  const ids = isFew ? outward.ids : fitting(outward, sizes, reading.limitBytes);
  const fit = new Set(ids);
  return { ids, rows: sized.messages.filter(({ id }) => fit.has(id)), present, added };
}
