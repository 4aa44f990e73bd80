/** Applies events about streams and subscriptions. */
import { membersChange } from '../people/apply-members';
import { put, without, type Change } from '../events/apply-change';
import type { ChatState } from '../data/store';
import type { Stream, Subscription } from '../data/wire';

/** What changes together with another property, and is in its event. */
const FURTHER = ['rendered_description', 'history_public_to_subscribers'] as const;

const stream: Change = (state, event) => {
  const { streams } = state;
  const given = (event['streams'] ?? []) as Stream[];
  if (event.op === 'create' || event.op === 'occupy') {
    return {
      streams: put(
        streams,
        given.map((each) => [each.stream_id, { ...streams.get(each.stream_id), ...each }]),
      ),
    };
  }
  if (event.op === 'delete') {
    const ids = given.map((each) => each.stream_id);
    return { streams: without(streams, ids), ...withoutOwn(state, ids) };
  }
  if (event.op !== 'update') return {};
  const id = event['stream_id'] as number;
  const further = FURTHER.flatMap((name) => (name in event ? [[name, event[name]] as const] : []));
  const property = event['property'] as string;
  // What else the policy may be comes in an event after this one.
  const policy = property === 'is_announcement_only' ? { stream_post_policy: undefined } : {};
  const change = { [property]: event['value'], ...policy, ...Object.fromEntries(further) };
  const known = streams.get(id);
  const own = ownOf(state, id);
  return {
    ...(known ? { streams: put(streams, [[id, { ...known, ...change }]]) } : {}),
    ...(own ? withOwn(state, { ...own, ...change }) : {}),
  };
};

type Own = Pick<ChatState, 'subscriptions' | 'archived'>;

const ownOf = ({ subscriptions, archived }: Own, id: number): Subscription | undefined =>
  subscriptions.get(id) ?? archived.get(id);

/** A subscription is kept apart while its stream is archived. */
function withOwn({ subscriptions, archived }: Own, own: Subscription): Own {
  const id = own.stream_id;
  return own.is_archived
    ? { archived: put(archived, [[id, own]]), subscriptions: without(subscriptions, [id]) }
    : { archived: without(archived, [id]), subscriptions: put(subscriptions, [[id, own]]) };
}

const withoutOwn = ({ subscriptions, archived }: Own, ids: readonly number[]): Own => ({
  subscriptions: without(subscriptions, ids),
  archived: without(archived, ids),
});

const subscription: Change = (state, event) => {
  if (event.op === 'peer_add' || event.op === 'peer_remove') return membersChange(state, event);
  const { streams, subscriptions } = state;
  const given = (event['subscriptions'] ?? []) as Subscription[];
  const ids = given.map((each) => each.stream_id);
  const members = without(state.members, ids);
  if (event.op === 'add') {
    const entries = given.map((each) => [each.stream_id, each] as const);
    return { subscriptions: put(subscriptions, entries), streams: put(streams, entries), members };
  }
  if (event.op === 'remove') return { members, ...withoutOwn(state, ids) };
  if (event.op !== 'update') return {};
  const known = ownOf(state, event['stream_id'] as number);
  if (!known) return {};
  const isHome = event['property'] === 'in_home_view';
  const change = isHome ? { is_muted: event['value'] !== true } : { [event['property'] as string]: event['value'] };
  return withOwn(state, { ...known, ...change });
};

export const STREAM_CHANGES: Readonly<Record<string, Change>> = { stream, subscription };
