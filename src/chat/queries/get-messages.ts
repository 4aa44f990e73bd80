/** Messages of a narrow around an anchor. */
import { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { readSnapshot } from '../../kernel/mysql/snapshot';
import { cut, MOST_MESSAGES, stretchesOf } from '../model/anchor';
import { fitting, keepOnly, outwardOf, type Outward } from '../model/message-budget';
import type { Term } from '../model/narrow';
import type { Glance } from '../model/read-state';
import type { User } from '../model/user';
import * as messages from '../store/messages';
import { firstUnread } from './first-unread';
import { matchOf } from './match-narrow';
import { openNarrow } from './open-narrow';
import { presentMessages, type Presentation } from './present-messages';
import { scanMessages } from './scan-messages';

export interface Reading extends Presentation {
  /** Undefined: at the first unread message. */
  readonly anchor: number | undefined;
  readonly before: number;
  readonly after: number;
  readonly narrow: readonly Term[];
  /** Most JSON of the messages; at least one beyond the anchor is always sent. */
  readonly limitBytes: number;
}

export function getMessages(kernel: Kernel, by: User, reading: Reading): Promise<Record<string, unknown>> {
  if (reading.before + reading.after > MOST_MESSAGES) {
    throw new Fault('invalid', `Too many messages requested (maximum ${MOST_MESSAGES}).`);
  }
  if (!asksForUnread(reading)) return readAround(kernel, by, reading);
  // Cursors and exceptions have to be of one moment: see present-messages.ts for where that is not needed.
  return readSnapshot(kernel.mysql, (db) => readAround({ ...kernel, mysql: db }, by, reading));
}

const asksForUnread = ({ anchor, narrow }: Reading): boolean =>
  anchor === undefined || narrow.some(({ operator, operand }) => operator === 'is' && operand === 'unread');

async function readAround(kernel: Kernel, by: User, reading: Reading): Promise<Record<string, unknown>> {
  const { before, after } = reading;
  const scope = await openNarrow(kernel, by, reading.narrow);
  const anchor = reading.anchor ?? (await firstUnread(scope));
  const range = { anchor, before, after };
  const found: Glance[] = [];
  for (const { direction, anchor: start, want } of stretchesOf(range)) {
    found.push(...(await scanMessages(scope, { direction, start, want })));
  }
  const asked = cut(found, range);
  const outward = outwardOf(
    asked.messages.map(({ id }) => id),
    anchor,
  );
  const ids = await readable(kernel, by, outward, reading);
  const rows = await messages.byIds(kernel.mysql, by.realmId, ids);
  const shown = await presentMessages(kernel, by, rows, reading);
  const { words } = scope.narrow;
  const matches = words.size === 0 ? [] : rows.map((row) => matchOf(row, words));
  const whole = new Map(rows.map(({ id }, index) => [id as number, { ...shown[index], ...matches[index] }]));
  const sizes = new Map(ids.map((id) => [id, Buffer.byteLength(JSON.stringify(whole.get(id) ?? ''))]));
  const { messages: sent, ...ends } = keepOnly(asked, fitting({ ...outward, ids }, sizes, reading.limitBytes));
  return { anchor, ...ends, history_limited: false, messages: sent.flatMap(({ id }) => whole.get(id) ?? []) };
}

/** So few are read without looking at their sizes first. */
const FEW = 10;
const SIZES_AT_ONCE = 250;

/** Those whose words alone fit into the answer: what will not be sent is not read into memory. */
async function readable(kernel: Kernel, by: User, outward: Outward, reading: Reading): Promise<readonly number[]> {
  const { ids } = outward;
  if (ids.length <= FEW) return ids;
  const sizes = new Map<number, number>();
  let total = 0;
  for (let at = 0; at < ids.length && total <= reading.limitBytes; at += SIZES_AT_ONCE) {
    const some = ids.slice(at, at + SIZES_AT_ONCE);
    const found = await messages.sizes(kernel.mysql, by.realmId, some, reading);
    for (const id of some) {
      // A message that was deleted meanwhile takes no room.
      const bytes = found.get(id) ?? 0;
      sizes.set(id, bytes);
      total += bytes;
    }
  }
  return fitting(outward, sizes, reading.limitBytes);
}
