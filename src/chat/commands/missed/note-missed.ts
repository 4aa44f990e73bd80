/** Finds new messages that somebody missed: what is mailed is noted, what is pushed is sent to the devices. */
import { groupBy } from '../../../kernel/group';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Query } from '../../../kernel/mysql/read-together';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Keyspace } from '../../../kernel/redis/connections';
import { pushMail } from '../../actors/mailboxes';
import { hasSeen, type Missed, OLDEST_MISSED_SECONDS } from '../../model/missed/missed-messages';
import {
  isHeldBack,
  isToAll,
  type StreamMessage,
  type Wanted,
  wantedByTopic,
  wantedInStreams,
  wantedPersonally,
  wantsPushesOnline,
} from '../../model/missed/missed-rules';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/users/list-presences';
import * as candidates from '../../store/missed/missed-candidates';
import * as missed from '../../store/missed/missed-messages';
import { ofUsers, type OwnedDevice } from '../../store/push/push-devices';
import { callSubscribers } from './note-called';

export type Scanning = Storage & Keyspace & Pick<Kernel, 'lifecycle'> & Pick<Chat, 'mail' | 'push'>;

/** Number of message ids per scan. */
const WINDOW = 200;
/** Limit of one sweep. After an outage, the next sweeps catch up. */
const MAX_WINDOWS = 50;
/** So that a mention of everybody in a large organisation does not hold its cursor for long. */
const MAX_PUSHES = 500;

const isMailOn = ({ mail }: Pick<Chat, 'mail'>): boolean => mail.mailer.mode !== 'off';

/** Finds organisations with messages that were not scanned yet. */
export const findUnscanned = (chat: Pick<Chat, 'mail' | 'push'>, db: Database): readonly Query[] =>
  isMailOn(chat) || chat.push.isOn ? [missed.findBehind(db)] : [];

export async function noteMissed(chat: Scanning, realmId: RealmId): Promise<void> {
  for (let windows = 0; windows < MAX_WINDOWS && !chat.lifecycle.draining.aborted; windows += 1) {
    const { head, notedId } = await missed.backlogOf(chat.mysql, realmId);
    if (notedId !== undefined && notedId >= head) return;
    // An organisation scanned for the first time starts with its newest messages.
    const reached = notedId ?? Math.max(0, head - WINDOW);
    const next = await missed.nextId(chat.mysql, realmId, reached);
    const to = next === undefined ? head : Math.min(next - 1 + WINDOW, head);
    const { mailed, pushes, calls } = await whatIsMissed(chat, { realmId, from: reached + 1, to });
    // If a worker dies in between, some devices are told twice, which they show once.
    for (; pushes.length > MAX_PUSHES;) {
      const some = pushes.splice(0, MAX_PUSHES);
      await chat.transaction((tx) => Promise.resolve(push(tx, realmId, some)));
    }
    await chat.transaction(async (tx) => {
      // Another worker may have scanned this window. The cursor keeps messages from being noted twice.
      if (!(await missed.moveCursor(tx.db, realmId, notedId, to))) return;
      await missed.insert(tx.db, mailed);
      push(tx, realmId, pushes);
      for (const calledBy of calls) callSubscribers(tx, { realmId, calledBy, after: 0 as UserId });
    });
  }
}

interface Push {
  readonly deviceId: number;
  readonly messageIds: readonly number[];
}

function push(tx: Tx, realmId: RealmId, pushes: readonly Push[]): void {
  for (const { deviceId, messageIds } of pushes) {
    pushMail.at(realmTenant(realmId), String(deviceId)).send(tx, { messageIds });
  }
}

type Scanned = Omit<candidates.Range, 'since'>;

interface WhatIsMissed {
  readonly mailed: readonly Missed[];
  readonly pushes: Push[];
  /** Messages that mention everybody. */
  readonly calls: readonly number[];
}

async function whatIsMissed(chat: Scanning, range: Scanned): Promise<WhatIsMissed> {
  const { mysql, clock } = chat;
  const within = { ...range, since: Math.floor(clock.now().getTime() / 1000) - OLDEST_MISSED_SECONDS };
  const said = await candidates.streamMessages(mysql, within);
  const calls = isMailOn(chat) ? said.filter(isToAll).map(({ id }) => id) : [];
  const wanted = [
    ...(await candidates.personal(mysql, within)).map(wantedPersonally),
    ...(await wantedOfStreams(mysql, within, said)),
  ];
  const muters = await candidates.mutersOf(mysql, range.realmId, wanted);
  const found = wanted.filter(({ senderId, userId }) => muters.get(senderId as UserId)?.includes(userId) !== true);
  const toMail = isMailOn(chat) ? found.filter(({ byMail }) => byMail) : [];
  const toPush = chat.push.isOn ? found.filter((each) => each.byPush && !isHeldBack(each)) : [];
  const devices = await ofUsers(mysql, [...new Set(toPush.map(({ userId }) => userId))]);
  const people = new Set([...toMail, ...devices].map(({ userId }) => userId));
  if (people.size === 0) return { mailed: [], pushes: [], calls };
  const active = await lastActive(chat, range.realmId, [...people]);
  const isMissed = ({ sentAt, userId }: Wanted) => !hasSeen(sentAt, active.get(userId));
  const away = toPush.filter((each) => wantsPushesOnline(each.settings) || isMissed(each));
  return { mailed: toMail.filter(isMissed), pushes: pushesTo(devices, away), calls };
}

function pushesTo(devices: readonly OwnedDevice[], wanted: readonly Wanted[]): Push[] {
  const byUser = groupBy(wanted, ({ userId }) => userId);
  return devices.flatMap(({ id: deviceId, userId, createdAt }) => {
    // What was sent before there was the device does not concern it.
    const since = Math.floor(createdAt.getTime() / 1000);
    const ids = (byUser.get(userId) ?? []).filter(({ sentAt }) => sentAt >= since).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ deviceId, messageIds: [...new Set(ids)] }];
  });
}

async function wantedOfStreams(
  db: Database,
  within: candidates.Range,
  said: readonly StreamMessage[],
): Promise<Wanted[]> {
  if (said.length === 0) return [];
  const { realmId } = within;
  const topicIds = [...new Set(said.map(({ topicId }) => topicId))];
  const subscribers = await candidates.subscribersOf(db, realmId, said);
  const policies = await candidates.policiesOf(db, topicIds);
  const messages = said.map((message) => ({ ...message, realmId }));
  const called = await candidates.called(db, within);
  return [...wantedInStreams(messages, subscribers, policies), ...wantedByTopic(called, policies)];
}
