/** What a device is to be told now: its conversations with unread messages, those that were read, and tests. */
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Database } from '../../../kernel/mysql/pool';
import type { PushTarget } from '../../../kernel/push/push-devices';
import type { PushMessage } from '../../../kernel/push/send-push';
import type { Message } from '../../model/messages/message';
import {
  conversationPayload,
  type Openness,
  type PushMail,
  readPayload,
  testPayload,
} from '../../model/push/push-payload';
import { wantsPushes } from '../../model/push/push-rules';
import type { User } from '../../model/users/user';
import { settingOf, type StoredSettings } from '../../model/users/user-settings';
import { describeConversation, stillUnread, unreadByTag } from '../../queries/push/compose-pushes';
import * as pushShown from '../../store/push/push-shown';

/** A device, whom it belongs to, and what they want. */
export interface OwnedTarget {
  readonly device: PushTarget;
  readonly user: User;
  readonly settings: StoredSettings;
  readonly language: string;
  /** Whether the organisation lets pushes say what messages say. */
  readonly mayTell: boolean;
}

type Mails = readonly Mail<PushMail>[];
/** Ids of the messages that the device shows, by conversation. */
type ShownIds = Map<string, readonly number[]>;

/** Longer than a day, nobody hurries. */
const KEEP_SECONDS = 86_400;
const READ = { subject: 'read', keepSeconds: 3600, isUrgent: false };
const TEST = { subject: 'test', keepSeconds: 60, isUrgent: true };
/** More than a device shows. */
const MAX_TAGS = 20;

export async function takeUpPushes(db: Database, turn: MailTurn, owned: OwnedTarget, mails: Mails) {
  const shown = await shownBefore(db, owned);
  const conversations = await noteConversations(db, turn, owned, { mails, shown });
  const badge = [...shown.values()].reduce((sum, ids) => sum + ids.length, 0);
  const messages: PushMessage[] = [];
  for (const [tag, said] of conversations) {
    const described = await describeConversation(db, readerOf(owned), said);
    const conversation = { ...described, tag, messageIds: shown.get(tag)! };
    const payload = conversationPayload(conversation, {
      openness: opennessOf(owned, tag),
      language: owned.language,
      badge,
    });
    messages.push({ payload, subject: tag, keepSeconds: KEEP_SECONDS, isUrgent: true });
  }
  const tags = mails.flatMap(({ body }) => ('readTags' in body ? body.readTags : [])).filter((tag) => !shown.has(tag));
  // Safari ends the subscriptions of sites that show nothing for a push.
  if (tags.length > 0 && !isOfApple(owned.device))
    messages.push({ payload: readPayload([...new Set(tags)].slice(-MAX_TAGS), badge), ...READ });
  if (mails.some(({ body }) => 'isTest' in body)) messages.push({ payload: testPayload(owned.language), ...TEST });
  return messages;
}

const isOfApple = ({ endpoint }: PushTarget): boolean => new URL(endpoint).hostname.endsWith('.push.apple.com');

const readerOf = ({ user }: OwnedTarget) => ({ realmId: user.realmId, userId: user.id });

async function shownBefore(db: Database, owned: OwnedTarget): Promise<ShownIds> {
  const shown = await pushShown.onDevice(db, owned.device.id);
  const unread = await stillUnread(db, readerOf(owned), shown);
  const left = shown.map(({ tag, messageIds }) => [tag, messageIds.filter((id) => unread.has(id))] as const);
  return new Map(left.filter(([, ids]) => ids.length > 0));
}

/**
 * Notes the conversations as shown before they are pushed: whoever reads one afterwards finds the note and withdraws it.
 * What was read before the note is found by looking again.
 */
async function noteConversations(
  db: Database,
  turn: MailTurn,
  owned: OwnedTarget,
  { mails, shown }: { readonly mails: Mails; readonly shown: ShownIds },
): Promise<Map<string, Message[]>> {
  const { device, user, settings } = owned;
  const ids = mails.flatMap(({ body }) => ('messageIds' in body ? body.messageIds : []));
  if (ids.length === 0 || !wantsPushes(settings)) return new Map();
  const wanted = await unreadByTag(db, readerOf(owned), ids);
  if (wanted.size === 0) return wanted;
  for (const [tag, said] of wanted) {
    const known = new Set([...(shown.get(tag) ?? []), ...said.map(({ id }) => id)]);
    shown.set(tag, [...known].toSorted((one, other) => one - other).slice(-pushShown.MAX_SHOWN_IDS));
  }
  const rowOf = (tag: string) => ({ deviceId: device.id, tag, messageIds: shown.get(tag)! });
  await turn.commit(async (tx) => {
    for (const tag of wanted.keys()) await pushShown.write(tx.db, user.id, rowOf(tag));
  });
  const left = await unreadByTag(db, readerOf(owned), ids);
  const overtaken = [...wanted.keys()].filter((tag) => !left.has(tag));
  if (overtaken.length > 0) await turn.commit((tx) => pushShown.remove(tx.db, overtaken.map(rowOf)));
  for (const tag of overtaken) shown.delete(tag);
  // One that has come in between has a mail of its own.
  return new Map([...left].filter(([tag]) => wanted.has(tag)));
}

function opennessOf({ mayTell, settings }: OwnedTarget, tag: string): Openness {
  if (!mayTell) return 'nothing';
  const isPrivate = tag.startsWith('r:');
  return isPrivate && settingOf(settings, 'pm_content_in_desktop_notifications') !== true ? 'no text' : 'all';
}
