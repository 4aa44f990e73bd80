/** Creates streams, and renames, describes, closes or opens them. */
import type { Clock } from '../../../kernel/clock';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Onlookers } from '../../model/events/audience';
import { renderDescription } from '../../model/markdown/render';
import { nameKey, oneLine, POST_POLICY, type PostPolicy, type Stream } from '../../model/streams/stream';
import {
  adminsAmong,
  onlookersOf,
  type Roles,
  sendersChanged,
  streamChanged,
  streamEvent,
} from '../../model/streams/stream-events';
import {
  checkStreamName,
  invalidStreamId,
  mayNotCreateStreams,
  mayNotCreateSuchStreams,
  sameStreamName,
  streamNameTaken,
} from '../../model/streams/stream-faults';
import { isAdmin, mayCreateStreams, policyIn } from '../../model/streams/stream-policy';
import type { User, UserId } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import type { Sending } from '../../parts';
import { accessStream } from '../../queries/streams/access-stream';
import * as realms from '../../store/organisation/realms';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import * as accounts from '../../store/users/accounts';
import { unarchiveStream } from './archive-stream';
import { chooseFolder, holdFolder } from './choose-folder';
import { leaveStreamGroups } from './edit-stream-groups';
import { notifyOfRenaming } from './notify-about-streams';
import { lockStreams, settleStreams } from './settle-streams';

export interface StreamChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isHistoryPublic?: boolean | undefined;
  readonly isAnnouncementOnly?: boolean | undefined;
  readonly postPolicy?: number | undefined;
  readonly isUnarchived?: boolean | undefined;
  /** Null for none. */
  readonly folderId?: number | null | undefined;
}

/** The old and new name, for the notice about a renaming. */
interface Renamed {
  readonly streamId: Stream['id'];
  readonly from: string;
  readonly to: string;
}

/** For administrators. */
export async function updateStream(chat: Sending, by: User, streamId: number, changes: StreamChanges): Promise<void> {
  ensureAdmin(by);
  const policy = policyIn(changes);
  const name = changes.name === undefined ? undefined : checkStreamName(changes.name);
  const description = changes.description === undefined ? undefined : oneLine(changes.description);
  const renaming = await settleStreams(chat.transaction, async (tx): Promise<Renamed | undefined> => {
    const found = await streams.byId(tx.db, by.realmId, streamId);
    if (!found) throw invalidStreamId();
    // Every change takes the lock: senders check a stream's version, which covers its name too.
    const [locked] = await lockStreams(tx, by.realmId, [found]);
    const stream = changes.isUnarchived ? await unarchiveStream(tx, locked!) : locked;
    const to = await findOnlookers(tx, stream!);
    if (description !== undefined) await describe(tx, stream!, description, to);
    if (changes.folderId !== undefined) await chooseFolder(tx, stream!, changes.folderId, to);
    if (name !== undefined) await rename(tx, stream!, name, to);
    const renamed = { ...stream!, name: name ?? stream!.name };
    if (policy !== undefined) await restrict(tx, renamed, policy, to);
    // Even administrators must be subscribed to open or close a private stream.
    if (changes.isPrivate !== undefined) {
      await accessStream(tx.db, by, streamId, { admitArchived: true });
      await setPrivacy(tx, renamed, changes, to);
    }
    return name === undefined ? undefined : { streamId: stream!.id, from: stream!.name, to: name };
  });
  if (renaming) await notifyOfRenaming(chat, by, renaming);
}

async function findOnlookers(tx: Tx, stream: Stream): Promise<Onlookers> {
  const roles = await accounts.activeRoles(tx.db, stream.realmId);
  const subscribers = (await subscriptions.subscribersOf(tx.db, [stream.id])).get(stream.id) ?? [];
  return onlookersOf(stream, roles, subscribers);
}

async function describe(tx: Tx, stream: Stream, description: string, to: Onlookers): Promise<void> {
  const renderedDescription = renderDescription(description);
  await streams.update(tx.db, [stream.id], { description, renderedDescription });
  const more = { value: description, rendered_description: renderedDescription };
  tx.deliver(streamChanged(stream, to, 'description', more));
}

async function rename(tx: Tx, stream: Stream, name: string, to: Onlookers): Promise<void> {
  if (name === stream.name) throw sameStreamName();
  // A change of case only: the name is taken by the stream itself.
  const isTaken = nameKey(name) !== nameKey(stream.name) && (await streams.byName(tx.db, stream.realmId, name));
  if (isTaken) throw streamNameTaken(name);
  await streams.update(tx.db, [stream.id], { name });
  tx.deliver(streamChanged(stream, to, 'email_address', { value: '' }));
  tx.deliver(streamChanged(stream, to, 'name', { value: name }));
}

async function restrict(tx: Tx, stream: Stream, postPolicy: PostPolicy, to: Onlookers): Promise<void> {
  const value = postPolicy === POST_POLICY.admins;
  await streams.update(tx.db, [stream.id], { isAnnouncementOnly: value, postPolicy });
  // It tells today's clients of these two policies, too.
  tx.deliver(streamChanged(stream, to, 'is_announcement_only', { value }));
  if (!value && postPolicy !== POST_POLICY.everybody)
    tx.deliver(streamChanged(stream, to, 'stream_post_policy', { value: postPolicy }));
  tx.deliver(sendersChanged({ ...stream, postPolicy }, to));
}

/** Users who gain sight of the stream get a create event; users who lose it get a delete event. */
async function setPrivacy(
  tx: Tx,
  stream: Stream,
  { isPrivate = false, ...wanted }: StreamChanges,
  before: Onlookers,
): Promise<void> {
  const changed = { isPrivate, isHistoryPublic: isHistoryPublic(isPrivate, wanted.isHistoryPublic) };
  await streams.update(tx.db, [stream.id], changed);
  const now = await streams.byId(tx.db, stream.realmId, stream.id);
  const after = await findOnlookers(tx, now!);
  const first = await history.firstIds(tx.db, stream.realmId, [stream.id]);
  const deliveries = [
    ...streamEvent('create', { ...after, ids: without(after.ids, before.ids) }, [now!], first),
    streamChanged(now!, { ...after, ids: both(after.ids, before.ids) }, 'invite_only', {
      value: isPrivate,
      history_public_to_subscribers: changed.isHistoryPublic,
    }),
    ...streamEvent('delete', without(before.ids, after.ids), [{ ...now!, isPrivate: stream.isPrivate }], first),
  ];
  for (const delivery of deliveries) tx.deliver(delivery);
  if (isPrivate) await leaveStreamGroups(tx, stream);
}

function without(some: readonly UserId[], others: readonly UserId[]): UserId[] {
  const known = new Set(others);
  return some.filter((id) => !known.has(id));
}

function both(some: readonly UserId[], others: readonly UserId[]): UserId[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}

interface StreamDraft {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly postPolicy?: number | undefined;
  /** Only private streams have a choice. */
  readonly isHistoryPublic: boolean | undefined;
  /** The same for all that are created together. */
  readonly folderId: number | null;
}

/** Creates streams, if the user may, and publishes them to everyone who can see them. */
export async function createStreams(
  tx: Tx,
  clock: Clock,
  by: User,
  { drafts, roles }: { drafts: readonly StreamDraft[]; roles: Roles },
): Promise<Stream[]> {
  if (drafts.length === 0) return [];
  const realm = await realms.byId(tx.db, by.realmId);
  if (!realm || !mayCreateStreams(by, realm.settings, clock.now())) throw mayNotCreateStreams();
  const policies = drafts.map((draft) => policyIn(draft) ?? POST_POLICY.everybody);
  if (policies.some((policy) => policy !== POST_POLICY.everybody) && !isAdmin(by)) throw mayNotCreateSuchStreams();
  const folderId = await holdFolder(tx, by.realmId, drafts[0]!.folderId);
  const ids = await streams.insertAll(
    tx.db,
    drafts.map((draft, index) => ({
      realmId: by.realmId,
      name: draft.name,
      description: draft.description,
      renderedDescription: renderDescription(draft.description),
      isPrivate: draft.isPrivate,
      isAnnouncementOnly: policies[index] === POST_POLICY.admins,
      postPolicy: policies[index]!,
      creatorId: by.id,
      isHistoryPublic: isHistoryPublic(draft.isPrivate, draft.isHistoryPublic),
      isDefault: false,
      folderId,
    })),
  );
  const created = await streams.byIds(tx.db, by.realmId, ids);
  const open = created.filter(({ isPrivate }) => !isPrivate);
  const closed = created.filter(({ isPrivate }) => isPrivate);
  const deliveries = [...streamEvent('create', 'members', open), ...streamEvent('create', adminsAmong(roles), closed)];
  for (const delivery of deliveries) tx.deliver(delivery);
  return created;
}

/** A public stream's history is always public. */
const isHistoryPublic = (isPrivate: boolean, wanted: boolean | undefined): boolean => !isPrivate || (wanted ?? false);
