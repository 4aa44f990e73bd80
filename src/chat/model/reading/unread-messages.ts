/** The unread messages in the initial state's wire format. */
import { groupBy } from '../../../kernel/group';
import type { Wire } from '../../../kernel/text/wire';
import type { unread } from '../answers/register';
import { TRAITS } from '../messages/message';
import { isMutedBy, type TopicPolicies } from '../streams/topic-policy';
import type { MessageRef, ReadState } from './read-state';

/** Zulip's limit. The newest are sent. */
export const MAX_UNREAD = 50_000;

export type UnreadMessages = Wire<typeof unread>;

export interface Surroundings {
  readonly state: ReadState;
  readonly topicNames: ReadonlyMap<number, string>;
  /** Members of private conversations, in order. */
  readonly members: ReadonlyMap<number, readonly number[]>;
  readonly policies: TopicPolicies;
  /** Messages that mention the user by name. */
  readonly mentioned: ReadonlySet<number>;
}

/** The messages are ordered by id. */
export function unreadMessagesOf(unread: readonly MessageRef[], around: Surroundings): UnreadMessages {
  const { state, members, policies, mentioned } = around;
  const isMuted = ({ recipientId, topicId }: MessageRef) =>
    isMutedBy(topicId === null ? undefined : policies.get(topicId), state.places.get(recipientId)?.isMuted ?? false);
  const isMention = ({ id, traits }: MessageRef) => mentioned.has(id) || (traits & TRAITS.wildcard) !== 0;
  const peopleOf = ({ recipientId }: MessageRef) => members.get(recipientId) ?? [];
  const privates = unread.filter(({ topicId }) => topicId === null);
  const groups = groupBy(
    privates.filter((ref) => peopleOf(ref).length > 2),
    (ref) => peopleOf(ref).join(','),
  );
  // Called the sender, but always the other user, whoever of the two wrote it; oneself if there is no other.
  const pairs = groupBy(
    privates.filter((ref) => peopleOf(ref).length <= 2),
    (ref) => peopleOf(ref).find((person) => person !== state.userId) ?? state.userId,
  );
  return {
    count: unread.filter((ref) => !isMuted(ref)).length,
    pms: [...pairs].map(([sender, refs]) => ({ sender_id: sender, unread_message_ids: idsOf(refs) })),
    streams: topicsOf(unread, around.topicNames),
    huddles: [...groups].map(([people, refs]) => ({ user_ids_string: people, unread_message_ids: idsOf(refs) })),
    mentions: idsOf(unread.filter(isMention)),
  };
}

const idsOf = (refs: readonly MessageRef[]): number[] => refs.map(({ id }) => id);

function topicsOf(unread: readonly MessageRef[], names: ReadonlyMap<number, string>): UnreadMessages['streams'] {
  const topics = groupBy(
    unread.filter(({ topicId }) => topicId !== null),
    ({ topicId }) => topicId!,
  );
  return [...topics].map(([topicId, refs]) => ({
    stream_id: refs[0]!.recipientId,
    topic: names.get(topicId) ?? '',
    unread_message_ids: idsOf(refs),
    sender_ids: [...new Set(refs.map(({ senderId }) => senderId))].sort((a, b) => a - b),
  }));
}
