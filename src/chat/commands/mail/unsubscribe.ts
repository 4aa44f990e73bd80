/** Turns off a kind of mail for a user, with the link from such a mail. */
import { timingSafeEqual } from 'node:crypto';
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Secrets } from '../../../kernel/secrets/secrets';
import { invalidLink } from '../../model/accounts/invitation';
import type { Organisation } from '../../model/mail/mail-texts';
import { MAIL_SETTINGS } from '../../model/missed/missed-rules';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import * as subscriptions from '../../store/streams/subscriptions';
import * as users from '../../store/users/users';
import { setSubscriptionProperties } from '../streams/set-subscription-properties';
import { updateSettings } from '../users/update-settings';

/** The kinds of mail that one can do without, each with its setting. */
const SETTINGS = { missed: MAIL_SETTINGS, digest: ['enable_digest_emails'] } as const;
export type MailKind = keyof typeof SETTINGS;
const KINDS = Object.keys(SETTINGS) as readonly MailKind[];

/** Never expires: a mail may be old when its recipient unsubscribes. */
function unsubscribeToken(secrets: Secrets, { id, realmId }: Pick<User, 'id' | 'realmId'>, kind: MailKind): string {
  // Links in older mails name no kind.
  const of = kind === 'missed' ? '' : `:${kind}`;
  return `${id}-${secrets.token('unsubscribe', `${realmId}:${id}${of}`)}`;
}

export const unsubscribeLink = (
  secrets: Secrets,
  { url }: Pick<Organisation, 'url'>,
  user: Pick<User, 'id' | 'realmId'>,
  kind: MailKind,
): string => `${url}/unsubscribe/${unsubscribeToken(secrets, user, kind)}`;

/** Mail programs offer the link as a button (RFC 8058). */
export const oneClickHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export async function unsubscribe(kernel: Storage, realmId: RealmId, token: string): Promise<MailKind> {
  const { user, kind } = await findUnsubscriber(kernel, realmId, token);
  const off = Object.fromEntries(SETTINGS[kind].map((name) => [name, false]));
  await updateSettings(kernel.transaction, user, 'notifications', off);
  if (kind === 'missed') await silenceStreams(kernel, user);
  return kind;
}

/** Streams may be mailed by a setting of their own. */
async function silenceStreams({ mysql, transaction }: Storage, user: User): Promise<void> {
  const property = 'email_notifications';
  const mailed = await subscriptions.mailedStreams(mysql, user.id);
  const changes = mailed.map((id) => ({ stream_id: id, property, value: false }));
  await setSubscriptionProperties(transaction, user, changes);
}

/** Whose link it is, and for which kind of mail. */
export async function findUnsubscriber(
  kernel: Storage,
  realmId: RealmId,
  token: string,
): Promise<{ readonly user: User; readonly kind: MailKind }> {
  const [, written] = /^(\d{1,10})-[\w-]{43}$/.exec(token) ?? [];
  ensure(written !== undefined, invalidLink());
  const id = Number(written) as User['id'];
  const kind = KINDS.find((each) => isSame(token, unsubscribeToken(kernel.secrets, { id, realmId }, each)));
  const user = kind && (await users.byId(kernel.mysql, realmId, id));
  ensure(kind !== undefined && user !== undefined, invalidLink());
  return { user, kind };
}

/** Both are ASCII, so equal lengths mean equal byte lengths. */
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
