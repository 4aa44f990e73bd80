/** What a device is to be told now: its conversations with unread messages, those that were read, and tests. */
import type { Mail } from '../mailbox/mailbox';
import type { MailTurn } from '../mailbox/work';
import type { Database } from '../mysql/pool';
import type { PushTarget } from './push-devices';
import { noticePush, readPush, testPush, type Notice } from './push-messages';
import { MAX_SHOWN_IDS, type PushShown, type Shown } from './push-shown';
import type { PushMessage } from './send-push';

/** Mail of a device, besides the news of its product. */
export type DeviceMail =
  /** Conversations that were read elsewhere. */
  { readonly readTags: readonly string[] } | { readonly isTest: true };

export const isTest = (body: object): boolean => 'isTest' in body;

/** A product's side of one device: what is unread for its owner, and what is said of it. */
export interface PushSource<Item extends { readonly id: number }> {
  readonly device: PushTarget;
  readonly owner: string | number;
  readonly shown: PushShown;
  /** All that the mails tell of and that is still unread, by the tag of its conversation. */
  unreadNews(): Promise<Map<string, readonly Item[]>>;
  /** What the device shows, as far as it is still unread. */
  stillUnread(shown: readonly Shown[]): Promise<readonly Shown[]>;
  describe(tag: string, items: readonly Item[]): Promise<Omit<Notice, 'badge' | 'ids' | 'tag'>>;
  readonly test: { readonly title: string; readonly body: string; readonly path: string };
}

/** Ids of the messages that the device shows, by conversation. */
type ShownIds = Map<string, readonly number[]>;

export async function takeUpPushes<Item extends { readonly id: number }>(
  db: Database,
  turn: MailTurn,
  source: PushSource<Item>,
  mails: readonly Mail<object>[],
): Promise<PushMessage[]> {
  const { device, shown: store } = source;
  const before = await source.stillUnread(await store.find(db, { subscription_id: device.id }));
  const shown: ShownIds = new Map(before.map(({ tag, messageIds }) => [tag, messageIds]));
  const conversations = await noteConversations(turn, source, shown);
  const badge = [...shown.values()].reduce((sum, ids) => sum + ids.length, 0);
  const messages: PushMessage[] = [];
  for (const [tag, items] of conversations) {
    const said = await source.describe(tag, items);
    messages.push(noticePush({ tag, ...said, ids: shown.get(tag)!, badge }));
  }
  const bodies = mails.map(({ body }) => body) as readonly (DeviceMail | object)[];
  const readTags = bodies.flatMap((body) => ('readTags' in body ? body.readTags : [])).filter((tag) => !shown.has(tag));
  messages.push(...readPush(device, readTags, badge));
  if (bodies.some(isTest)) messages.push(testPush(source.test));
  return messages;
}

/**
 * Notes the conversations as shown before they are pushed: whoever reads one afterwards finds the note and withdraws it.
 * What was read before the note is found by looking again.
 */
async function noteConversations<Item extends { readonly id: number }>(
  turn: MailTurn,
  source: PushSource<Item>,
  shown: ShownIds,
): Promise<Map<string, readonly Item[]>> {
  const { device, owner, shown: store } = source;
  const wanted = await source.unreadNews();
  if (wanted.size === 0) return wanted;
  for (const [tag, items] of wanted) {
    const known = new Set([...(shown.get(tag) ?? []), ...items.map(({ id }) => id)]);
    shown.set(tag, [...known].toSorted((one, other) => one - other).slice(-MAX_SHOWN_IDS));
  }
  const rowOf = (tag: string) => ({ deviceId: device.id, tag, messageIds: shown.get(tag)! });
  await turn.commit(async (tx) => {
    for (const tag of wanted.keys()) await store.write(tx.db, owner, rowOf(tag));
  });
  const left = await source.unreadNews();
  const overtaken = [...wanted.keys()].filter((tag) => !left.has(tag));
  if (overtaken.length > 0) await turn.commit((tx) => store.remove(tx.db, overtaken.map(rowOf)));
  for (const tag of overtaken) shown.delete(tag);
  // One that has come in between has a mail of its own.
  return new Map([...left].filter(([tag]) => wanted.has(tag)));
}
