/** Lists the streams that a user may see, from the requested sources. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Stream, StreamId } from '../../model/streams/stream';
import { queryNotAuthorized } from '../../model/streams/stream-faults';
import { isAdmin, isGuest, maySee } from '../../model/streams/stream-policy';
import { wireStream } from '../../model/streams/stream-wire';
import type { User } from '../../model/users/user';
import * as history from '../../store/streams/stream-history';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';

/** As in the specification. Each source adds streams to the result. */
export interface StreamSources {
  readonly include_public: boolean;
  readonly include_subscribed: boolean;
  readonly include_all_active: boolean;
  readonly include_default: boolean;
  readonly include_owner_subscribed: boolean;
}

export const USUAL_SOURCES: StreamSources = {
  include_public: true,
  include_subscribed: true,
  include_all_active: false,
  include_default: false,
  include_owner_subscribed: false,
};

/** Guests see only streams they are subscribed to. */
export async function listStreams(
  db: Database,
  by: User,
  requested: StreamSources = USUAL_SOURCES,
): Promise<Record<string, unknown>[]> {
  if (requested.include_all_active && !isAdmin(by)) throw queryNotAuthorized();
  const owner = requested.include_owner_subscribed && by.botType !== null ? by.botOwnerId : null;
  const found = await streams.list(db, by.realmId, {
    all: requested.include_all_active,
    isPublic: requested.include_public && !isGuest(by),
    isDefault: requested.include_default && !isGuest(by),
    subscribedBy: [...(requested.include_subscribed ? [by.id] : []), ...(owner === null ? [] : [owner])],
  });
  const first = await history.firstIds(
    db,
    by.realmId,
    found.map(({ id }) => id),
  );
  return found.sort(byName).map((stream) => ({
    ...wireStream(stream, first),
    ...(requested.include_default ? { is_default: stream.isDefault } : {}),
  }));
}

/** By code points, as in Zulip. */
export const byName = (a: Pick<Stream, 'name'>, b: Pick<Stream, 'name'>): number =>
  a.name < b.name ? -1 : Number(a.name > b.name);

/** Filters streams to those that a user may see: active, of the same organisation, and public or subscribed to. */
export async function visibleStreams(db: Database, by: User, ids: readonly number[]): Promise<Stream[]> {
  const found = await streams.byIds(db, by.realmId, ids);
  const own = await subscriptions.among(db, ids as readonly StreamId[], [by.id]);
  const heard = new Set(own.filter(({ isActive }) => isActive).map(({ streamId }) => streamId));
  return found.filter((stream) => maySee(by, stream, heard.has(stream.id)));
}
