/** Makes of a checked draft everything that is written: the row, the flags of those it mentions, and the event. */
import type { Kernel } from '../../kernel/kernel';
import type { EncodedAudience } from '../model/audience';
import type { Draft } from '../model/draft';
import type { MessageHead } from '../model/event';
import { isHumanClient, TRAITS, type FlagName } from '../model/message';
import { messageEntry } from '../model/message-event';
import type { RealmId } from '../model/realm';
import type { User, UserId } from '../model/user';
import { avatarOf, messageFields, type Destination } from '../model/wire-message';
import { findLinkedFiles } from '../queries/access-file';
import { findSubdomain } from '../queries/find-public-url';
import { findTopicLinks } from '../queries/find-vocabulary';
import { renderContent, type RenderedContent } from '../queries/render-content';
import type { NewMessage } from '../store/message-packet';

/** Where a message goes, and who hears it there. */
export interface Addressed {
  readonly realmId: RealmId;
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly topic: string;
  readonly destination: Destination;
  readonly audience: EncodedAudience;
  readonly hearers: ReadonlySet<UserId>;
  readonly isPublic: boolean;
  readonly stream?: { readonly id: number; readonly version: number };
}

/** The column's length; longer names are cut as the real server does. */
const CLIENT_LENGTH = 30;

export async function composeMessage(
  kernel: Kernel,
  by: User,
  draft: Omit<Draft, 'origin'> & { readonly origin: string | null; readonly addressed: Addressed },
): Promise<NewMessage> {
  const { addressed, content, origin } = draft;
  const subdomain = await findSubdomain(kernel, by.realmId);
  const rendered = await renderContent(kernel, by.realmId, content, by);
  const client = cut(draft.client);
  const senderRead = isHumanClient(client) ? TRAITS.senderRead : 0;
  const sent = {
    recipientId: addressed.recipientId,
    topic: addressed.topic,
    client,
    traits: rendered.traits | senderRead,
    sentAt: Math.floor(kernel.clock.now().getTime() / 1000),
  };
  const flags = flagsOf(rendered, addressed.hearers);
  const linksOf = await findTopicLinks(kernel, by.realmId);
  const { recipientId, topicId, topic, stream } = addressed;
  return {
    ...sent,
    recipientId,
    topicId,
    topic,
    senderId: by.id,
    content,
    rendered: rendered.html,
    origin,
    flags,
    uploadIds: await findLinkedFiles(kernel, by, content),
    ...(stream ? { stream } : {}),
    event: messageEntry({
      head: { type: 'message', to: addressed.audience, message: headOf(by, draft, flags, sent.traits) },
      fields: { ...messageFields(sent, by, addressed.destination, subdomain), subject_links: linksOf(topic) },
      html: rendered.html,
      markdown: content,
      avatar: avatarOf(by),
    }),
  };
}

const cut = (client: string): string =>
  client.length <= CLIENT_LENGTH ? client : Array.from(client).slice(0, CLIENT_LENGTH).join('');

/** Only those who hear the message can be flagged. A wildcard is a trait of the message, not a row for each. */
export function flagsOf(
  { mentionedUserIds, alertedUserIds }: Pick<RenderedContent, 'mentionedUserIds' | 'alertedUserIds'>,
  hearers: ReadonlySet<UserId>,
): { userId: UserId; flag: FlagName }[] {
  const heard = (ids: readonly UserId[], flag: FlagName) =>
    ids.filter((id) => hearers.has(id)).map((userId) => ({ userId, flag }));
  return [...heard(mentionedUserIds, 'mentioned'), ...heard(alertedUserIds, 'has_alert_word')];
}

function headOf(
  by: User,
  draft: Pick<Draft, 'queueId' | 'localId'> & { addressed: Addressed },
  flags: readonly { userId: UserId; flag: FlagName }[],
  traits: number,
): MessageHead {
  const { destination, isPublic, topic } = draft.addressed;
  const own: Record<number, string[]> = {};
  if ((traits & TRAITS.senderRead) !== 0) own[by.id] = ['read'];
  for (const { userId, flag } of flags) (own[userId] ??= []).push(flag);
  return {
    ...(destination.type === 'stream' ? { streamId: destination.streamId, streamName: destination.name, topic } : {}),
    sender: by.email.toLowerCase(),
    isPublic,
    ...((traits & TRAITS.wildcard) === 0 ? {} : { isWildcard: true }),
    flags: own,
    ...(draft.queueId !== undefined && draft.localId !== undefined
      ? { local: { queueId: draft.queueId, localId: draft.localId } }
      : {}),
  };
}
