/** Sets what a user says beside their name, and ends it when its time has come. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { done, type Ending } from '../../../kernel/mailbox/ending';
import { DUE_NOW } from '../../../kernel/mailbox/mailbox';
import { statusEnds } from '../../actors/mailboxes';
import { eventDelivery } from '../../model/events/event';
import type { NamedEmoji } from '../../model/messages/reaction';
import { realmTenant } from '../../model/organisation/realm';
import { checkLength } from '../../model/text-length';
import type { EndingStatus } from '../../model/users/newcomer';
import type { User } from '../../model/users/user';
import {
  checkEnd,
  MAX_STATUS_LENGTH,
  NO_STATUS,
  nothingNew,
  readEmoji,
  statusEvent,
  type UserStatus,
} from '../../model/users/user-status';
import type { Chat } from '../../parts';
import * as statuses from '../../store/users/user-statuses';

export interface WrittenStatus {
  readonly away?: boolean | undefined;
  readonly text?: string | undefined;
  readonly emoji: NamedEmoji;
  /** Seconds; null for a status without an end. */
  readonly endsAt?: number | null | undefined;
}

/** Changes what is given. A new text or emoji without an end has none: the end belonged to what stood there before. */
export async function setStatus(
  chat: Storage & Pick<Chat, 'vocabularies'>,
  by: User,
  written: WrittenStatus,
): Promise<void> {
  const text = written.text?.trim();
  checkLength('status_text', text ?? '', MAX_STATUS_LENGTH);
  const nowMs = chat.clock.now().getTime();
  checkEnd(written.endsAt, nowMs / 1000);
  const { realmEmoji } = await chat.vocabularies.find(by.realmId);
  const emoji = readEmoji(written.emoji, realmEmoji);
  const { away, endsAt } = written;
  ensure(
    [away, text, emoji, endsAt].some((each) => each !== undefined),
    nothingNew(),
  );
  const change: Partial<UserStatus> = {
    ...(away === undefined ? {} : { isAway: away }),
    ...(text === undefined ? {} : { text }),
    ...(emoji === undefined ? {} : { emoji }),
  };
  await chat.transaction(async (tx) => {
    const before = await statuses.lock(tx.db, by.id);
    const hasEnd = endsAt !== undefined || (before.endsAt !== null && (text !== undefined || emoji !== undefined));
    const changed = hasEnd ? { ...change, endsAt: endsAt ?? null } : change;
    await statuses.set(tx.db, by.id, { ...before, ...changed });
    tx.deliver(eventDelivery(by.realmId, 'everyone', statusEvent(by.id, changed)));
    if (!hasEnd || before.endsAt === endsAt) return;
    const [tenant, address] = [realmTenant(by.realmId), String(by.id)];
    // The mail for the end before would wait for years, perhaps.
    if (before.endsAt !== null) statusEnds.at(tenant, address).send(tx, DUE_NOW);
    if (typeof endsAt !== 'number') return;
    const ending = { realmId: by.realmId, userId: by.id, endsAt };
    statusEnds.at(tenant, address, endsAt * 1000 - nowMs).send(tx, ending);
  });
}

/** More than the clocks of two servers differ. */
const EARLY_MS = 60_000;

/** Leaves a status alone that has another end, or none, by now. Mail for an end that was set again later comes early. */
export const endStatus = (clock: Clock, { realmId, userId, endsAt }: EndingStatus): Ending =>
  done({
    async write(tx) {
      const { endsAt: standing, isAway } = await statuses.lock(tx.db, userId);
      if (standing !== endsAt || endsAt * 1000 > clock.now().getTime() + EARLY_MS) return;
      await statuses.set(tx.db, userId, NO_STATUS);
      const { isAway: _, ...nothing } = NO_STATUS;
      tx.deliver(eventDelivery(realmId, 'everyone', statusEvent(userId, isAway ? NO_STATUS : nothing)));
    },
  });
