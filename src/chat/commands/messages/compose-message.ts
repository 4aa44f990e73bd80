/** Builds all that is written for a checked draft: the row, mentioned users' flags, the calls of bots, and the event. */
import type { Clock } from '../../../kernel/clock';
import { exactEmail } from '../../../kernel/secrets/email-key';
import type { OutgoingCall } from '../../model/bots/outgoing-webhook';
import type { MessageHead } from '../../model/events/event';
import type { TopicLink } from '../../model/markdown/context';
import type { Draft } from '../../model/messages/draft';
import { isHumanClient, TRAITS } from '../../model/messages/message';
import { messageEntry } from '../../model/messages/message-event';
import { widgetIn } from '../../model/messages/widget';
import { type Destination, messageFields } from '../../model/messages/wire-message';
import type { RealmId } from '../../model/organisation/realm';
import { avatarOf } from '../../model/uploads/avatar';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { findFlagged, type Flagged } from '../../queries/messages/find-flagged';
import { wantsPreviews } from '../../queries/messages/find-previews';
import { renderContent, type RenderedContent } from '../../queries/messages/render-content';
import { findLinkedFiles } from '../../queries/uploads/files';
import * as endpoints from '../../store/bots/bot-endpoints';
import type { NewMessage } from '../../store/messages/message-packet';

/** Where a message goes, and its audience. */
export interface Addressed {
  readonly realmId: RealmId;
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly topic: string;
  readonly destination: Destination;
  /** The prefix of log entries for this audience. */
  readonly prefix: string;
  readonly subscribers: ReadonlySet<UserId>;
  readonly isPublic: boolean;
  readonly stream: { readonly id: number; readonly version: number } | undefined;
}

/** The column's length. Longer names are cut, as in Zulip. */
const CLIENT_LENGTH = 30;

/** A draft with checked content and a resolved audience. */
export interface Composed extends Pick<
  Draft,
  'client' | 'content' | 'isReadBySender' | 'queueId' | 'localId' | 'widget'
> {
  readonly origin: string | null;
  readonly addressed: Addressed;
}

/** The looked-up parts of a message. */
interface Found {
  readonly rendered: RenderedContent;
  readonly subdomain: string;
  readonly linksOf: (topic: string) => readonly TopicLink[];
  readonly uploadIds: readonly number[];
  /** Whether linked pages need previews. */
  readonly isPreviewed: boolean;
  readonly outgoingBots: ReadonlySet<UserId>;
  /** Who has muted the sender. */
  readonly mutedBy: readonly UserId[];
  readonly flags: Flagged;
}

const NO_USERS: readonly UserId[] = [];

/** Nearly every lookup finds its answer in a cache. */
export async function composeMessage(chat: Sending, by: User, draft: Composed): Promise<NewMessage> {
  const rendered = await renderContent(chat, by.realmId, draft.content, by);
  const subdomain = await chat.realms.subdomain(by.realmId);
  const linksOf = await chat.vocabularies.topicLinks(by.realmId);
  const uploadIds = await findLinkedFiles(chat.mysql, by, draft.content);
  const isPreviewed = await wantsPreviews(chat, by, rendered.pages);
  const outgoingBots = await findOutgoingBots(chat, by, draft.addressed, rendered);
  const { topicId, subscribers } = draft.addressed;
  const flags = await findFlagged(chat.mysql, { realmId: by.realmId, topicId }, rendered, subscribers);
  const mutedBy = (await chat.muters.find(by.realmId)).get(by.id) ?? NO_USERS;
  const found = { rendered, subdomain, linksOf, uploadIds, isPreviewed, outgoingBots, mutedBy, flags };
  return putTogether(chat.clock, by, draft, found);
}

/** Objects are written out, never spread: this runs for every message, and spreading would be its largest cost. */
function putTogether(clock: Clock, by: User, draft: Composed, found: Found): NewMessage {
  const { addressed, content, origin } = draft;
  const { recipientId, topicId, topic, destination, prefix, stream } = addressed;
  const { rendered, uploadIds, flags } = found;
  const client = cut(draft.client);
  const traits = rendered.traits | ((draft.isReadBySender ?? isHumanClient(client)) ? TRAITS.senderRead : 0);
  const sentAt = Math.floor(clock.now().getTime() / 1000);
  const sent = { recipientId, topic, client, traits, sentAt };
  const mutedBy = found.mutedBy.length === 0 ? NO_USERS : found.mutedBy.filter((id) => addressed.subscribers.has(id));
  const widget = draft.widget ?? widgetIn(content);
  return {
    recipientId,
    topicId,
    topic,
    client,
    traits,
    sentAt,
    senderId: by.id,
    content,
    rendered: rendered.html,
    origin,
    flags,
    mutedBy,
    uploadIds,
    isPreviewed: found.isPreviewed,
    calls: callsOf(addressed, rendered, found.outgoingBots),
    widget,
    stream,
    event: messageEntry({
      prefix,
      head: headOf(by, draft, { flags, mutedBy, traits, widget }, found.linksOf(topic)),
      fields: messageFields(sent, by, destination, found),
      html: rendered.html,
      markdown: content,
      avatar: avatarOf(by),
    }),
  };
}

const cut = (client: string): string =>
  client.length <= CLIENT_LENGTH ? client : Array.from(client).slice(0, CLIENT_LENGTH).join('');

const ifAny = (links: readonly TopicLink[]) => (links.length === 0 ? undefined : links);

function headOf(
  by: User,
  { addressed, queueId, localId }: Composed,
  { flags, mutedBy, traits, widget }: Pick<NewMessage, 'flags' | 'mutedBy' | 'traits' | 'widget'>,
  topicLinks: readonly TopicLink[],
): MessageHead {
  const { destination, isPublic, topic } = addressed;
  const own: Record<number, string[]> = {};
  if ((traits & TRAITS.senderRead) !== 0) own[by.id] = ['read'];
  for (const id of mutedBy) own[id] = ['read'];
  for (const { userId, flag } of flags) (own[userId] ??= []).push(flag);
  const isStream = destination.type === 'stream';
  return {
    streamId: isStream ? destination.streamId : undefined,
    streamName: isStream ? destination.name : undefined,
    topic: isStream ? topic : undefined,
    sender: exactEmail(by.email),
    isPublic,
    isWildcard: (traits & TRAITS.wildcard) !== 0 || undefined,
    flags: own,
    widget: widget === null ? undefined : { senderId: by.id, content: widget },
    topicLinks: ifAny(topicLinks),
    local: queueId !== undefined && localId !== undefined ? { queueId, localId } : undefined,
  };
}

const NO_BOTS: ReadonlySet<UserId> = new Set();
const NO_CALLS: readonly OutgoingCall[] = [];

type Mentioning = Pick<RenderedContent, 'mentionedUserIds'>;

/** Messages from bots call nobody: two bots could answer each other for ever. */
const mayCall = (by: User, { destination }: Addressed, { mentionedUserIds }: Mentioning): boolean =>
  by.botType === null && (destination.type === 'private' || mentionedUserIds.length > 0);

/** The bots that may be called. They are read again before their time is over, so that few messages wait for that. */
async function findOutgoingBots(
  chat: Sending,
  by: User,
  addressed: Addressed,
  rendered: Mentioning,
): Promise<ReadonlySet<UserId>> {
  if (!mayCall(by, addressed, rendered)) return NO_BOTS;
  const read = () => endpoints.callable(chat.mysql, by.realmId);
  return chat.outgoingBots.getRefreshed(by.realmId, read) ?? chat.outgoingBots.get(by.realmId, read);
}

/** Bots mentioned beyond this number are not called, so that one message cannot cause many requests. */
const MAX_CALLS = 20;

/** In streams, calls mentioned bots; in private streams only subscribers. In private conversations, calls all bots. */
export function callsOf(
  { destination, isPublic, subscribers }: Addressed,
  { mentionedUserIds }: Mentioning,
  outgoing: ReadonlySet<UserId>,
): readonly OutgoingCall[] {
  if (outgoing.size === 0) return NO_CALLS;
  const isStream = destination.type === 'stream';
  const meant = isStream ? mentionedUserIds.filter((id) => isPublic || subscribers.has(id)) : [...subscribers];
  const cause = isStream ? 'mention' : 'private_message';
  const called = meant.filter((id) => outgoing.has(id)).slice(0, MAX_CALLS);
  return called.map((botId) => ({ botId, cause }));
}
