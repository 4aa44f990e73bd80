/** Pushes to one device what waits for it. */
import type { Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import { deliverToDevice, type Pushing } from '../../../kernel/push/deliver-pushes';
import type { PushTarget } from '../../../kernel/push/push-devices';
import { type DeviceMail, type PushSource, takeUpPushes } from '../../../kernel/push/take-up-pushes';
import type { Message } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { conversationNotice, type Openness, type PushNews, testWords } from '../../model/push/push-payload';
import { wordsFor } from '../../model/texts/chat-words';
import { isQuietAt, letsPersonalThrough } from '../../model/users/quiet-hours';
import type { User, UserId } from '../../model/users/user';
import { settingOf, type StoredSettings } from '../../model/users/user-settings';
import type { Chat } from '../../parts';
import { composeConversation, stillUnread, unreadByTag } from '../../queries/push/compose-pushes';
import * as sessions from '../../store/accounts/sessions';
import * as realms from '../../store/organisation/realms';
import { pushDevices } from '../../store/push/push-devices';
import { pushShown } from '../../store/push/push-shown';
import * as userSettings from '../../store/users/user-settings';
import * as users from '../../store/users/users';

type Parts = Pushing & Pick<Chat, 'sessionDays'>;
type Mails = readonly Mail<PushNews | DeviceMail>[];

/** A device, whom it belongs to, and what they want. */
interface OwnedTarget {
  readonly device: PushTarget;
  readonly user: User;
  readonly settings: StoredSettings;
  /** Whether nothing is shown now: quiet hours may have begun while the push service was away. */
  readonly isQuiet: boolean;
  readonly language: string;
  /** Whether the organisation lets pushes say what messages say. */
  readonly mayTell: boolean;
}

export const deliverPushes = (chat: Parts, turn: MailTurn, mails: Mails): Promise<readonly Ending[]> =>
  deliverToDevice(chat, turn, mails, {
    devices: pushDevices,
    findOwner: (device) => findOwner(chat, device),
    takeUp: (owned) => takeUpPushes(chat.mysql, turn, sourceOf(chat, owned, mails), mails),
  });

async function findOwner({ mysql, clock, sessionDays }: Parts, device: PushTarget): Promise<OwnedTarget | undefined> {
  const {
    realm_id: realmId,
    user_id: userId,
    session_id: sessionId,
  } = device.row as {
    readonly realm_id: RealmId;
    readonly user_id: UserId;
    readonly session_id: number | null;
  };
  if (sessionId !== null && !(await sessions.isOpen(mysql, sessionId, sessionDays))) return undefined;
  const realm = await realms.byId(mysql, realmId);
  const user = await users.byId(mysql, realmId, userId);
  if (user?.isActive !== true || realm?.isActive !== true) return undefined;
  const settings = await userSettings.ofUser(mysql, userId);
  const { language } = wordsFor(realm, settings);
  const isQuiet = isQuietAt(settings, user.timezone, clock.now()) && !letsPersonalThrough(settings);
  const mayTell = realm.settings.message_content_allowed_in_push_notifications;
  return { device, user, settings, isQuiet, language, mayTell };
}

function sourceOf({ mysql }: Parts, owned: OwnedTarget, mails: Mails): PushSource<Message> {
  const { device, user, isQuiet, language } = owned;
  const reader = { realmId: user.realmId, userId: user.id };
  const ids = mails.flatMap(({ body }) => ('messageIds' in body ? body.messageIds : []));
  return {
    device,
    owner: user.id,
    shown: pushShown,
    unreadNews: () => (ids.length === 0 || isQuiet ? Promise.resolve(new Map()) : unreadByTag(mysql, reader, ids)),
    stillUnread: (shown) => stillUnread(mysql, reader, shown),
    async describe(tag, said) {
      const conversation = await composeConversation(mysql, reader, said);
      return conversationNotice(conversation, { openness: opennessOf(owned, tag), language });
    },
    test: testWords(language),
  };
}

function opennessOf({ mayTell, settings }: OwnedTarget, tag: string): Openness {
  if (!mayTell) return 'nothing';
  const isPrivate = tag.startsWith('r:');
  return isPrivate && settingOf(settings, 'pm_content_in_desktop_notifications') !== true ? 'no text' : 'all';
}
