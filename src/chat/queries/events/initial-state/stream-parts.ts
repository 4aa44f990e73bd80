/** Streams: the visible ones, the user's subscriptions, and the defaults for new users. */
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../../model/streams/stream';
import { isGuest } from '../../../model/streams/stream-policy';
import { wireStream } from '../../../model/streams/stream-wire';
import * as history from '../../../store/streams/stream-history';
import * as streams from '../../../store/streams/streams';
import { listStreamGroups } from '../../streams/list-stream-groups';
import { listStreams } from '../../streams/list-streams';
import { gatherSubscriptions } from '../../streams/list-subscriptions';
import type { StatePart, StateParts } from './part';

const stream: StatePart = async ({ db, by }) => ({
  streams: await listStreams(db, by),
  stream_name_max_length: NAME_LENGTH,
  stream_description_max_length: DESCRIPTION_LENGTH,
});

const subscription: StatePart = async ({ kernel, db, by, request }) => ({
  ...(await gatherSubscriptions(kernel, db, by, request.filters.includeSubscribers)),
});

const defaultStreams: StatePart = async ({ db, by }) => {
  const found = isGuest(by) ? [] : await streams.defaults(db, by.realmId);
  const first = await history.firstIds(
    db,
    by.realmId,
    found.map(({ id }) => id),
  );
  return { realm_default_streams: found.map((each) => wireStream(each, first)) };
};

export const streamParts: StateParts = {
  stream,
  subscription,
  default_streams: defaultStreams,
  default_stream_groups: async ({ db, by }) => ({
    realm_default_stream_groups: isGuest(by) ? [] : await listStreamGroups(db, by.realmId),
  }),
};
