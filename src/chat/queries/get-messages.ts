/** Messages of a narrow around an anchor. */
import { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import { readSnapshot } from '../../kernel/mysql/snapshot';
import { cut, MOST_MESSAGES, stretchesOf } from '../model/anchor';
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
  const { messages: glances, ...ends } = cut(found, range);
  const ids = glances.map(({ id }) => id);
  const rows = await messages.byIds(kernel.mysql, by.realmId, ids);
  const shown = await presentMessages(kernel, by, rows, reading);
  const { words } = scope.narrow;
  const matches = words.size === 0 ? [] : rows.map((row) => matchOf(row, words));
  return {
    anchor,
    ...ends,
    history_limited: false,
    messages: shown.map((message, index) => ({ ...message, ...matches[index] })),
  };
}
