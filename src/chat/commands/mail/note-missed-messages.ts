/** Scans new messages for absent users who received them privately or were mentioned, and records these as missed. */
import { groupBy } from '../../../kernel/group';
import { hasSeen, OLDEST_MISSED_SECONDS, wantsMail } from '../../model/mail/missed-messages';
import type { RealmId } from '../../model/organisation/realm';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/users/last-active';
import * as missed from '../../store/mail/missed-messages';

/** Number of message ids per scan. */
const WINDOW = 200;

/** Limit of one sweep. After an outage, the next sweeps catch up. */
const MAX_WINDOWS = 50;

/** Organisations with messages not yet scanned. */
export const behindRealms = async ({ kernel }: Chat): Promise<RealmId[]> =>
  (await missed.backlogs(kernel.mysql)).map(({ realmId }) => realmId);

export async function noteMissedMessages(chat: Chat, realmId: RealmId): Promise<void> {
  const { kernel } = chat;
  for (let windows = 0; windows < MAX_WINDOWS && !kernel.lifecycle.draining.aborted; windows += 1) {
    const { head, notedId } = await missed.backlogOf(kernel.mysql, realmId);
    if (notedId !== undefined && notedId >= head) return;
    // An organisation scanned for the first time starts with its newest messages.
    const reached = notedId ?? Math.max(0, head - WINDOW);
    const next = await missed.nextId(kernel.mysql, realmId, reached);
    const to = next === undefined ? head : Math.min(next - 1 + WINDOW, head);
    const away = await whoIsAway(chat, { realmId, from: reached + 1, to });
    await kernel.transaction(async ({ db }) => {
      // Another worker may have scanned this window. The cursor keeps messages from being recorded twice.
      if (await missed.moveCursor(db, realmId, notedId, to)) await missed.insert(db, away);
    });
  }
}

async function whoIsAway({ kernel }: Chat, range: Omit<missed.Range, 'since'>): Promise<missed.Missed[]> {
  const since = Math.floor(kernel.clock.now().getTime() / 1000) - OLDEST_MISSED_SECONDS;
  const found = await missed.candidates(kernel.mysql, { ...range, since });
  const wanted = found.filter(({ settings }) => wantsMail(settings));
  if (wanted.length === 0) return [];
  const people = [...groupBy(wanted, ({ userId }) => userId).keys()];
  const active = await lastActive(kernel, range.realmId, people);
  return wanted.filter(({ sentAt, userId }) => !hasSeen(sentAt, active.get(userId)));
}
