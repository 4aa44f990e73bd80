/** Sends messages about changes to streams. A failure is only logged: it does not fail the request. */
import { groupBy } from '../../../kernel/group';
import type { Log } from '../../../kernel/log';
import type { Stream, StreamId } from '../../model/streams/stream';
import { chatWords, type ChatWords } from '../../model/texts/chat-words';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { wordsOfPerson, wordsOfRealm } from '../../queries/organisation/words-of';
import * as realms from '../../store/organisation/realms';
import { sendNotice, sendPrivateNotice, type StreamNotice } from '../messages/send-notice';
import { updateFlags } from '../reading/update-flags';
import type { Joined } from './add-subscribers';

/** The topics for a stream's own events, and for announcements of new streams. */
const EVENTS_TOPIC = 'stream events';
const NEWS_TOPIC = 'new streams';

interface Subscriptions {
  readonly created: readonly Stream[];
  readonly subscribed: readonly Joined[];
  readonly users: ReadonlyMap<UserId, User>;
  readonly shouldAnnounce: boolean;
}

export async function notifyOfSubscriptions(chat: Sending, by: User, done: Subscriptions): Promise<void> {
  await attempt(chat.log, async () => {
    await notifyInvited(chat, by, done);
    // Names of private streams must not be announced.
    const open = done.created.filter(({ isPrivate }) => !isPrivate);
    if (done.shouldAnnounce && open.length > 0) await announce(chat, by, open);
    if (done.created.length === 0) return;
    const { say } = await wordsOfRealm(chat.mysql, by.realmId);
    const content = say('bot.stream.created', { by: silently(by) });
    for (const { id } of done.created) {
      await tell(chat, by, { streamId: id, topic: EVENTS_TOPIC, content });
    }
  });
}

export async function notifyOfRenaming(
  chat: Sending,
  by: User,
  renamed: { streamId: StreamId; from: string; to: string },
): Promise<void> {
  const { streamId, from, to } = renamed;
  await attempt(chat.log, async () => {
    const { say } = await wordsOfRealm(chat.mysql, by.realmId);
    const content = say('bot.stream.renamed', { by: silently(by), from, to });
    await tell(chat, by, { streamId, topic: EVENTS_TOPIC, content });
  });
}

async function announce(chat: Sending, by: User, created: readonly Stream[]): Promise<void> {
  const realm = await realms.byId(chat.mysql, by.realmId);
  if (!realm || realm.settings.notifications_stream_id < 0) return;
  const streamId = realm.settings.notifications_stream_id as StreamId;
  const streams = created.map(({ name }) => linked(name)).join(', ');
  const { say } = chatWords(realm.settings.default_language);
  const content = say('bot.stream.new', { count: created.length, by: silently(by), streams });
  await tell(chat, by, { streamId, topic: NEWS_TOPIC, content });
}

/** The requester's own copy is marked as read. */
async function tell(chat: Sending, by: User, notice: StreamNotice): Promise<void> {
  const id = await sendNotice(chat, by.realmId, notice);
  if (id === undefined) return;
  // Refused if they are not subscribed.
  await updateFlags(chat.transaction, by, { messageIds: [id], operation: 'add', flag: 'read' }).catch(() => {});
}

/** Beyond this number, the notices are sent after the response. */
const MAX_AWAITED = 20;
const AT_ONCE = 10;

/** Notifies users whom someone else subscribed to existing streams. */
async function notifyInvited(chat: Sending, by: User, { created, subscribed, users }: Subscriptions): Promise<void> {
  const made = new Set(created.map(({ id }) => id));
  const invited = subscribed.filter(
    ({ userId, stream }) => userId !== by.id && users.get(userId)?.botType === null && !made.has(stream.id),
  );
  const letters = [...groupBy(invited, ({ userId }) => userId)];
  const send = async () => {
    // A draining process does not wait for these notices.
    for (let start = 0; start < letters.length && !chat.lifecycle.draining.aborted; start += AT_ONCE) {
      await Promise.all(
        letters.slice(start, start + AT_ONCE).map(async ([userId, pairs]) => {
          const names = pairs.map(({ stream }) => stream.name);
          const words = await wordsOfPerson(chat.mysql, { id: userId, realmId: by.realmId });
          return sendPrivateNotice(chat, by.realmId, userId, { content: subscribedYou(words, by, names) });
        }),
      );
    }
  };
  if (letters.length <= MAX_AWAITED) await send();
  else void attempt(chat.log, send);
}

async function attempt(log: Log, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => log.warn({ error }, 'could not notify about a stream'));
}

type Actor = Pick<User, 'id' | 'fullName'>;

/** A mention that does not notify. */
const silently = ({ fullName, id }: Actor): string => `@_**${fullName}|${id}**`;
const linked = (name: string): string => `#**${name}**`;

export function subscribedYou({ say }: ChatWords, { fullName }: Actor, names: readonly string[]): string {
  const sorted = [...names].sort((a, b) => (a < b ? -1 : 1)).map(linked);
  const streams = sorted.length === 1 ? sorted[0]! : sorted.map((each) => `* ${each}`).join('\n');
  return say('bot.stream.subscribed', { count: sorted.length, by: `@**${fullName}**`, streams });
}
