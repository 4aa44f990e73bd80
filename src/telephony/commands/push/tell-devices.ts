/** Tells a company's devices what is new: first one mail for the company, then, in a worker, one for each device. */
import type { Storage } from '../../../kernel/kernel';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { portalPushes } from '../../actors/mailboxes';
import { type CompanyId, companyTenant } from '../../model/companies/company';
import type { CompanyNews, DeviceNews, PushNews } from '../../model/push/push-news';
import type { Telephony } from '../../parts';
import { isAnyIn, ofCompany, whoIsShown } from '../../store/push/push-devices';
import { withdrawRead } from './withdraw-pushes';

type Parts = Storage & Pick<Telephony, 'push'>;

/** Other addresses are devices. */
const COMPANY = 'company-';
export const isCompany = (at: string): boolean => at.startsWith(COMPANY);

const sendToCompany = (tx: Tx, companyId: CompanyId, news: CompanyNews): void =>
  portalPushes.at(companyTenant(companyId), `${COMPANY}${companyId}`).send(tx, news);

/** In the transaction that stores it. */
export async function announce(tx: Tx, companyId: CompanyId, news: PushNews): Promise<void> {
  if (await isAnyIn(tx.db, companyId)) sendToCompany(tx, companyId, news);
}

/** In the transaction that deletes something, or marks it as read for everybody. */
export async function announceChange(tx: Tx, companyId: CompanyId, changedTag: string): Promise<void> {
  if ((await whoIsShown(tx.db, changedTag)).length > 0) sendToCompany(tx, companyId, { changedTag });
}

/** Whoever looks at the page has read it by then, and their telephone stays quiet. */
const READ_FIRST_MS = 2000;
/** So that a transaction of a large company ends soon. */
const MAX_MAILS = 500;

export async function tellCompany(
  { mysql, push }: Parts,
  turn: MailTurn,
  mails: readonly Mail<CompanyNews | DeviceNews>[],
): Promise<readonly Ending[]> {
  const companyId = turn.at.slice(COMPANY.length) as CompanyId;
  if (!push.isOn) return mails.map(() => dropped('Push notifications are off'));
  const bodies = mails.map(({ body }) => body as CompanyNews);
  await withdraw(
    turn,
    companyId,
    bodies.flatMap((body) => ('changedTag' in body ? [body.changedTag] : [])),
  );
  const news = bodies.filter((body): body is PushNews => !('changedTag' in body));
  const devices = news.length === 0 ? [] : await ofCompany(mysql, companyId);
  const afterMs = Math.min(READ_FIRST_MS, push.pauseMs);
  const tell = (tx: Tx, some: readonly number[]): Promise<void> => {
    for (const id of some) portalPushes.at(companyTenant(companyId), String(id), afterMs).send(tx, { news });
    return Promise.resolve();
  };
  // If a worker dies in between, some devices are told twice, which they show once.
  for (; devices.length > MAX_MAILS;) {
    const some = devices.splice(0, MAX_MAILS);
    await turn.commit((tx) => tell(tx, some));
  }
  const last = done({ write: (tx) => tell(tx, devices) });
  return mails.map((_, place) => (place === mails.length - 1 ? last : OVER));
}

const OVER = done();

async function withdraw(turn: MailTurn, companyId: CompanyId, tags: readonly string[]): Promise<void> {
  for (const tag of new Set(tags)) {
    const shownTo = await whoIsShown(turn.kernel.mysql, tag);
    for (const contactId of shownTo) await turn.commit((tx) => withdrawRead(tx, { companyId, contactId }, tag));
  }
}
