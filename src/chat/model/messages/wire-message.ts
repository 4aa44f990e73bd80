/** Messages in the wire format, for history and events alike. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/messages';
import type { TopicLink } from '../markdown/context';
import type { User } from '../users/user';
import type { Message } from './message';
import { TRAITS } from './message';

/** A message's destination: a stream, or the members of a private conversation. */
export type Destination =
  | { readonly type: 'stream'; readonly streamId: number; readonly name: string }
  | { readonly type: 'private'; readonly members: readonly User[] };

type Sent = Pick<Message, 'recipientId' | 'topic' | 'client' | 'traits' | 'sentAt'>;

/** The organisation's data in its messages. */
interface Realm {
  readonly subdomain: string;
  readonly linksOf: (topic: string) => readonly TopicLink[];
}

/** All fields but id, content, content_type and avatar_url, which depend on the reader. */
export function messageFields(
  message: Sent,
  sender: User,
  destination: Destination,
  realm: Realm,
): Wire<typeof answers.messageFields> {
  const isStream = destination.type === 'stream';
  return {
    type: destination.type,
    sender_id: sender.id,
    sender_email: sender.email,
    sender_full_name: sender.fullName,
    sender_short_name: sender.shortName,
    sender_realm_str: realm.subdomain,
    recipient_id: message.recipientId,
    // JSON leaves out undefined values.
    stream_id: isStream ? destination.streamId : undefined,
    display_recipient: isStream ? destination.name : people(destination.members),
    subject: isStream ? message.topic : '',
    subject_links: realm.linksOf(message.topic).map(({ url }) => url),
    client: message.client,
    is_me_message: (message.traits & TRAITS.me) !== 0,
    reactions: [],
    submessages: [],
    timestamp: message.sentAt,
  };
}

/** Two users are ordered by email address, more by id, as clients expect. */
function people(members: readonly User[]): Wire<typeof answers.recipient>[] {
  const sorted = [...members].sort((a, b) => (members.length <= 2 ? (a.email < b.email ? -1 : 1) : a.id - b.id));
  return sorted.map(({ id, email, fullName, shortName }) => ({
    id,
    email,
    full_name: fullName,
    short_name: shortName,
    is_mirror_dummy: false,
  }));
}
