/** Pushes to one device what waits for it, if its session still is one of the company. */
import type { Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import { deliverToDevice, type Pushing } from '../../../kernel/push/deliver-pushes';
import type { PushTarget } from '../../../kernel/push/push-devices';
import { type DeviceMail, type PushSource, takeUpPushes } from '../../../kernel/push/take-up-pushes';
import type { CompanyNews, DeviceNews } from '../../model/push/push-news';
import { noticeOf, type PushItem, testWords } from '../../model/push/push-notice';
import type { Telephony } from '../../parts';
import { stillUnread, unreadByTag } from '../../queries/push/unread-news';
import * as sessions from '../../store/portal/sessions';
import { mayTell, pushDevices, pushShown } from '../../store/push/push-devices';
import type { Reader } from '../../store/push/unread-news';
import { isCompany, tellCompany } from './tell-devices';

type Parts = Pushing & Pick<Telephony, 'settings'>;
type Mails = readonly Mail<CompanyNews | DeviceMail | DeviceNews>[];

interface Owned extends Reader {
  readonly device: PushTarget;
  readonly language: string;
  readonly mayTell: boolean;
}

export function deliverPushes(telephony: Parts, turn: MailTurn, mails: Mails): Promise<readonly Ending[]> {
  if (isCompany(turn.at)) return tellCompany(telephony, turn, mails as readonly Mail<CompanyNews>[]);
  return deliverToDevice(telephony, turn, mails, {
    devices: pushDevices,
    findOwner: (device) => findOwner(telephony, device),
    takeUp: (owned) => takeUpPushes(telephony.mysql, turn, sourceOf(telephony, owned, mails), mails),
  });
}

/** A session ends with its contact, its key and its company. */
async function findOwner({ mysql, settings }: Parts, device: PushTarget): Promise<Owned | undefined> {
  const {
    session_id: id,
    language,
    ...of
  } = device.row as { session_id: number; language: string; contact_id: string };
  const session = await sessions.byId(mysql, id, settings.sessionDays);
  if (session?.contactId !== of.contact_id) return undefined;
  const { companyId, contactId } = session;
  return { device, companyId, contactId, language, mayTell: await mayTell(mysql, companyId) };
}

function sourceOf({ mysql }: Parts, owned: Owned, mails: Mails): PushSource<PushItem> {
  const news = mails.flatMap(({ body }) => ('news' in body ? body.news : []));
  return {
    device: owned.device,
    owner: owned.contactId,
    shown: pushShown,
    unreadNews: () => unreadByTag(mysql, owned, news),
    stillUnread: (shown) => stillUnread(mysql, owned, shown),
    describe: (_tag, items) => Promise.resolve(noticeOf(items, owned)),
    test: testWords(owned.language),
  };
}
