/**
 * Pushes to one device what waits for it: a notification for each conversation, and which of them are over. It may do so
 * twice, for example after a crash: services and devices show one of each conversation.
 */
import type { Storage } from '../../../kernel/kernel';
import { dead, done, dropped, type Ending, postponed, retry } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import { type PushOutcome, sendPush } from '../../../kernel/push/send-push';
import type { RealmId } from '../../model/organisation/realm';
import { deviceGone, pushRefused, type PushMail } from '../../model/push/push-payload';
import { wordsFor } from '../../model/texts/chat-words';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as sessions from '../../store/accounts/sessions';
import { pushDevices } from '../../store/push/push-devices';
import * as userSettings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import { type OwnedTarget, takeUpPushes } from './take-up-pushes';

type Parts = Storage & Pick<Chat, 'pause' | 'push' | 'sessionDays'>;

const GONE = 'The push service no longer knows the device';

export async function deliverPushes(
  chat: Parts,
  turn: MailTurn,
  mails: readonly Mail<PushMail>[],
): Promise<readonly Ending[]> {
  const { mysql, push } = chat;
  const owned = await findOwner(chat, Number(turn.at));
  if (!owned) return mails.map(() => dropped('The device is gone, or its user', { fault: deviceGone() }));
  const { device } = owned;
  const waitMs = push.pauseMs - (device.idleMs ?? Infinity);
  // What comes meanwhile goes into the same pushes.
  if (waitMs > 0 && !mails.some(isTest)) return allEnd(mails, postponed(null, waitMs));
  const messages = await takeUpPushes(mysql, turn, owned, mails);
  if (messages.length === 0) return allEnd(mails, dropped('The messages were read or deleted'));
  await turn.commit(({ db }) => pushDevices.notePush(db, device.id));
  for (const message of messages) {
    await turn.ensureLease();
    const outcome = await sendPush(push, device, message, turn.signal);
    await chat.pause('mid-call');
    if (outcome.kind === 'gone') await turn.commit(({ db }) => pushDevices.end(db, device.id));
    if (outcome.kind !== 'taken') return mails.map((mail) => endingOf(outcome, isTest(mail)));
  }
  return allEnd(mails, done());
}

const isTest = ({ body }: Mail<PushMail>): boolean => 'isTest' in body;

/** One ending, which is written at once for all. */
const allEnd = (mails: readonly unknown[], ending: Ending): Ending[] => mails.map(() => ending);

async function findOwner({ mysql, secrets, sessionDays }: Parts, id: number): Promise<OwnedTarget | undefined> {
  const device = await pushDevices.find(mysql, secrets, id);
  if (!device) return undefined;
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
  return { device, user, settings, language, mayTell: realm.settings.message_content_allowed_in_push_notifications };
}

/** Somebody waits for the outcome of a test, so it is not tried again. */
function endingOf(outcome: Exclude<PushOutcome, { kind: 'taken' }>, isTried: boolean): Ending {
  if (outcome.kind === 'gone') return dropped(GONE, { fault: deviceGone() });
  const { reason } = outcome;
  if (outcome.kind === 'refused' || isTried) return dead(reason, { fault: pushRefused(reason) });
  return retry(reason, outcome.afterMs === undefined ? {} : { afterMs: outcome.afterMs });
}
