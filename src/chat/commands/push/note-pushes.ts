/** Finds new messages that are to be pushed, and sends them to the devices of those who are away. */
import { groupBy } from '../../../kernel/group';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Query } from '../../../kernel/mysql/read-together';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Keyspace } from '../../../kernel/redis/connections';
import { pushMail } from '../../actors/mailboxes';
import { hasSeen } from '../../model/mail/missed-messages';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import { wantedInStreams, wantsPushes, wantsPushesOnline, type Wanted } from '../../model/push/push-rules';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/users/list-presences';
import * as missed from '../../store/mail/missed-messages';
import * as candidates from '../../store/push/push-candidates';
import { ofUsers, type OwnedDevice } from '../../store/push/push-devices';

type Parts = Storage & Keyspace & Pick<Kernel, 'lifecycle'>;

/** Number of message ids per scan. */
const WINDOW = 200;
/** Limit of one sweep. After an outage, the next sweeps catch up. */
const MAX_WINDOWS = 50;
/** Older messages are not pushed, for example after an outage. */
export const OLDEST_PUSHED_SECONDS = 3600;

export const findPushes = ({ push }: Pick<Chat, 'push'>, db: Database): readonly Query[] =>
  push.isOn ? [candidates.findBehind(db)] : [];

/** Scans an organisation; other addresses are devices, which need nothing. */
export async function fillPushes(chat: Parts, address: string): Promise<void> {
  const { REALM } = candidates;
  if (!address.startsWith(REALM)) return;
  const realmId = Number(address.slice(REALM.length)) as RealmId;
  for (let windows = 0; windows < MAX_WINDOWS && !chat.lifecycle.draining.aborted; windows += 1) {
    const { head, pushedId } = await candidates.backlogOf(chat.mysql, realmId);
    if (pushedId >= head) return;
    const next = await missed.nextId(chat.mysql, realmId, pushedId);
    const to = next === undefined ? head : Math.min(next - 1 + WINDOW, head);
    await pushWindow(chat, realmId, pushedId, to);
  }
}

/** So that a mention of everybody in a large organisation does not hold its cursor for long. */
const MAX_MAILS = 500;

async function pushWindow(chat: Parts, realmId: RealmId, from: number, to: number): Promise<void> {
  const { devices, wanted } = await whoIsAway(chat, { realmId, from: from + 1, to });
  const byUser = groupBy(wanted, ({ userId }) => userId);
  const told = devices.filter(({ userId }) => byUser.has(userId));
  const tell = (tx: Tx, some: readonly OwnedDevice[]) => {
    for (const { id, userId } of some) {
      const messageIds = [...new Set(byUser.get(userId)!.map((each) => each.id))];
      pushMail.at(realmTenant(realmId), String(id)).send(tx, { messageIds });
    }
  };
  // If a worker dies in between, some devices are told twice, which they show once.
  for (; told.length > MAX_MAILS;) {
    const some = told.splice(0, MAX_MAILS);
    await chat.transaction((tx) => Promise.resolve(tell(tx, some)));
  }
  await chat.transaction(async (tx) => {
    // Another worker may have scanned this window.
    if (await candidates.moveCursor(tx.db, realmId, from, to)) tell(tx, told);
  });
}

interface Away {
  readonly wanted: readonly Wanted[];
  /** Those of the people who want something, and of others. */
  readonly devices: readonly OwnedDevice[];
}

async function whoIsAway(chat: Parts, range: Omit<missed.Range, 'since'>): Promise<Away> {
  const { mysql, clock } = chat;
  const within = { ...range, since: Math.floor(clock.now().getTime() / 1000) - OLDEST_PUSHED_SECONDS };
  const personal = await missed.candidates(mysql, within);
  const inStreams = await wantedOfStreams(mysql, within);
  const found = [...personal, ...inStreams].filter(({ settings }) => wantsPushes(settings));
  const devices = await ofUsers(mysql, [...new Set(found.map(({ userId }) => userId))]);
  const owners = new Set(devices.map(({ userId }) => userId));
  const owned = found.filter(({ userId }) => owners.has(userId));
  if (owned.length === 0) return { devices, wanted: [] };
  const active = await lastActive(chat, range.realmId, [...owners]);
  const wanted = owned.filter(
    ({ settings, sentAt, userId }) => wantsPushesOnline(settings) || !hasSeen(sentAt, active.get(userId)),
  );
  return { devices, wanted };
}

async function wantedOfStreams(db: Database, within: missed.Range): Promise<Wanted[]> {
  const said = await candidates.streamMessages(db, within);
  if (said.length === 0) return [];
  const topicIds = [...new Set(said.map(({ topicId }) => topicId))];
  const subscribers = await candidates.subscribersOf(db, within.realmId, said);
  return wantedInStreams(said, subscribers, await candidates.policiesOf(db, within.realmId, topicIds));
}
