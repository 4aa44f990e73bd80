/** Requests the weekly mails of the day: for people who were away, in organisations that want them. */
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { AWAY_SECONDS, isDigestDay, wantsDigest } from '../../model/mail/digest';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/users/list-presences';
import * as digests from '../../store/mail/digests';
import { postMail } from './post-mail';

type Parts = Storage & Keyspace & Pick<Chat, 'mail'>;

const REALMS_AT_ONCE = 500;
const PEOPLE_AT_ONCE = 200;

export async function requestDigests(chat: Parts, signal: AbortSignal): Promise<void> {
  if (chat.mail.mailer.mode === 'off') return;
  const now = chat.clock.now();
  for (let after = 0; !signal.aborted;) {
    const some = await digests.realmsAfter(chat.mysql, after, REALMS_AT_ONCE);
    for (const { id } of some.filter(({ settings }) => isDigestDay(settings, now))) {
      while (!signal.aborted && (await requestSome(chat, id, now)));
    }
    if (some.length < REALMS_AT_ONCE) return;
    after = some.at(-1)!.id;
  }
}

/** For the organisation's next people: each gets one mail. Returns whether there may be more people. */
async function requestSome(chat: Parts, realmId: RealmId, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const after = await digests.cursorOf(chat.mysql, realmId, day);
  const joinedBefore = new Date(now.getTime() - AWAY_SECONDS * 1000);
  const some = await digests.peopleAfter(chat.mysql, realmId, { after, joinedBefore, most: PEOPLE_AT_ONCE });
  const last = some.at(-1);
  if (!last) return false;
  const wanting = some.filter(({ settings }) => wantsDigest(settings));
  const ids = wanting.map(({ id }) => id);
  const away = await whoIsAway(chat, realmId, ids, now);
  await chat.transaction(async (tx) => {
    // Another worker may have requested these. The cursor keeps anybody from getting two.
    if (!(await digests.moveCursor(tx.db, realmId, { day, from: after, to: last.id }))) return;
    for (const { id: userId, email } of wanting) {
      if (away.has(userId)) await postMail(tx, { realmId, recipient: email, about: { kind: 'digest', userId } });
    }
  });
  return some.length === PEOPLE_AT_ONCE;
}

/** Those who were not active for days. */
export async function whoIsAway(
  kernel: Keyspace,
  realmId: RealmId,
  ids: readonly UserId[],
  now: Date,
): Promise<ReadonlySet<UserId>> {
  const active = await lastActive(kernel, realmId, ids);
  const since = now.getTime() / 1000 - AWAY_SECONDS;
  return new Set(ids.filter((id) => (active.get(id) ?? 0) < since));
}
