/** Creates, changes and removes groups of default streams, for administrators. */
import { ensure } from '../../../kernel/fault';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import {
  groupTaken,
  isDefaultAlready,
  isInGroup,
  isNotInGroup,
  noSuchStreamGroup,
  nothingNewOfGroup,
  sameGroupName,
  tooManyGroups,
  tooManyInGroup,
} from '../../model/organisation/organisation-faults';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream, StreamId } from '../../model/streams/stream';
import { privateDefault } from '../../model/streams/stream-faults';
import { checkStreamGroup, MAX_GROUPS, MAX_STREAMS_IN_GROUP, type StreamGroup } from '../../model/streams/stream-group';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessStream } from '../../queries/streams/access-stream';
import { wireStreamGroups } from '../../queries/streams/list-streams';
import * as realms from '../../store/organisation/realms';
import * as groups from '../../store/streams/stream-groups';
import * as streams from '../../store/streams/streams';
import { lockStreams, settleStreams } from './settle-streams';

export interface StreamGroupDraft {
  readonly name: string;
  readonly description: string;
  readonly streamNames: readonly string[];
}

export async function createStreamGroup(transaction: Transact, by: User, draft: StreamGroupDraft): Promise<void> {
  ensureAdmin(by);
  checkStreamGroup(draft);
  const { name, description } = draft;
  await changing(transaction, by, draft.streamNames, async (tx, all, named) => {
    for (const stream of named) ensureMayJoin(stream, name);
    ensure(!all.some((group) => group.name === name), groupTaken(name));
    ensure(all.length < MAX_GROUPS, tooManyGroups(MAX_GROUPS));
    await groups.insert(tx.db, by.realmId, { name, description, streamIds: idsOf(named) });
  });
}

export interface StreamGroupChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** An empty text means no change, as in Zulip. */
export async function updateStreamGroup(
  transaction: Transact,
  by: User,
  id: number,
  { name = '', description = '' }: StreamGroupChanges,
): Promise<void> {
  ensureAdmin(by);
  ensure(name !== '' || description !== '', nothingNewOfGroup());
  await changing(transaction, by, [], async (tx, all) => {
    const group = groupOf(all, id);
    const next = { ...group, name: name || group.name, description: description || group.description };
    checkStreamGroup(next);
    ensure(name !== group.name, sameGroupName(name));
    ensure(!all.some((other) => other.id !== id && other.name === next.name), groupTaken(next.name));
    await groups.update(tx.db, next);
  });
}

export interface StreamGroupEdit {
  readonly op: 'add' | 'remove';
  readonly streamNames: readonly string[];
}

export async function editStreamsOfGroup(
  transaction: Transact,
  by: User,
  id: number,
  edit: StreamGroupEdit,
): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by, edit.streamNames, async (tx, all, named) => {
    const group = groupOf(all, id);
    const has = new Set(group.streamIds);
    if (edit.op === 'remove') {
      for (const stream of named) ensure(has.has(stream.id), isNotInGroup(stream.name, group.name));
      return groups.removeStreams(tx.db, id, idsOf(named));
    }
    for (const stream of named) {
      ensureMayJoin(stream, group.name);
      ensure(!has.has(stream.id), isInGroup(stream.name, group.name));
    }
    ensure(has.size + named.length <= MAX_STREAMS_IN_GROUP, tooManyInGroup(MAX_STREAMS_IN_GROUP));
    await groups.addStreams(tx.db, id, idsOf(named));
  });
}

export async function removeStreamGroup(transaction: Transact, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by, [], async (tx, all) => {
    await groups.remove(tx.db, groupOf(all, id).id);
  });
}

const idsOf = (streams: readonly Stream[]): StreamId[] => streams.map(({ id }) => id);

function groupOf(all: readonly StreamGroup[], id: number): StreamGroup {
  const group = all.find((each) => each.id === id);
  if (!group) throw noSuchStreamGroup(id);
  return group;
}

/** A group's streams are published to everyone, so none may be private. */
function ensureMayJoin(stream: Stream, groupName: string): void {
  ensure(!stream.isDefault, isDefaultAlready(stream.name, groupName));
  ensure(!stream.isPrivate, privateDefault());
}

type Change = (tx: Tx, all: readonly StreamGroup[], named: readonly Stream[]) => Promise<void>;

/** Locks streams before the organisation, like every change of default streams. */
async function changing(transaction: Transact, by: User, names: readonly string[], change: Change): Promise<void> {
  ensure(names.length <= MAX_STREAMS_IN_GROUP, tooManyInGroup(MAX_STREAMS_IN_GROUP));
  await settleStreams(transaction, async (tx) => {
    const found = new Map<StreamId, Stream>();
    for (const name of names) {
      const { stream } = await accessStream(tx.db, by, name);
      found.set(stream.id, stream);
    }
    const named = await lockStreams(tx, by.realmId, [...found.values()]);
    await realms.lock(tx.db, by.realmId);
    await change(tx, await groups.list(tx.db, by.realmId), named);
    await publishStreamGroups(tx, by.realmId);
  });
}

/** To everyone but guests. The organisation must be locked, so that events keep the order of the changes. */
async function publishStreamGroups(tx: Tx, realmId: RealmId): Promise<void> {
  const read = together({ groups: groups.listRead(realmId), list: streams.listRead(realmId) });
  const { groups: found, list } = await runRead(tx.db, read);
  const all = wireStreamGroups(found, list);
  tx.deliver(eventDelivery(realmId, 'members', { type: 'default_stream_groups', default_stream_groups: all }));
}

/** Removes a locked stream from all groups when it is retired or becomes private. */
export async function leaveStreamGroups(tx: Tx, { id, realmId }: Pick<Stream, 'id' | 'realmId'>): Promise<void> {
  // The stream is locked, so it cannot join a group meanwhile.
  if (!(await groups.hasStream(tx.db, id))) return;
  await realms.lock(tx.db, realmId);
  await groups.forgetStream(tx.db, id);
  await publishStreamGroups(tx, realmId);
}
