/** Looks through new messages for people who are away and get them privately or are mentioned, and notes that. */
import type { TurnContext } from '../../../kernel/actor/leased-turn';
import { groupBy } from '../../../kernel/group';
import { hasSeen, OLDEST_MISSED_SECONDS, wantsMail } from '../../model/missed-messages';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/last-active';
import * as missed from '../../store/missed-messages';

/** Ids that are looked at together. */
const WINDOW = 200;

export async function noteMissedMessages(chat: Chat, turn: TurnContext): Promise<void> {
  for (const { realmId, head, ...noted } of await missed.backlogs(chat.kernel.mysql)) {
    // Where nothing was ever looked at, mail begins with the newest messages.
    let reached = noted.notedId ?? Math.max(0, head - WINDOW);
    while (reached < head && !turn.isOver()) {
      const next = await missed.nextId(chat.kernel.mysql, realmId, reached);
      const to = next === undefined ? head : Math.min(next - 1 + WINDOW, head);
      const away = await whoIsAway(chat, { realmId, from: reached + 1, to });
      await turn.commit(async (tx) => {
        await missed.insert(tx.db, away);
        await missed.moveCursor(tx.db, realmId, to);
      });
      reached = to;
    }
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
