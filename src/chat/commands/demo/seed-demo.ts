/** Fills an empty database with the organisation that tutorials and tests rely on. Leaves any other database alone. */
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Passwords } from '../../../kernel/passwords/passwords';
import { DEMO_PASSWORD } from '../../model/accounts/credentials';
import type { RealmId } from '../../model/organisation/realm';
import type { StreamId } from '../../model/streams/stream';
import { INCOMING_WEBHOOK, type UserId } from '../../model/users/user';
import { paragraphs } from '../../model/wire';
import type { Enrolling } from '../../parts';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';
import { createUser } from '../users/create-user';

const COLOR = '#76ce90';

/** Returns whether it seeded. */
export async function seedDemo(
  kernel: Enrolling,
  passwords: Pick<Passwords, 'hash'> = kernel.passwords,
): Promise<boolean> {
  const realm = { subdomain: '', name: 'Example Organization', description: 'A place to try Partyline.' };
  if (await realms.bySubdomain(kernel.mysql, realm.subdomain)) return false;
  let realmId;
  try {
    realmId = await kernel.transaction((tx) => realms.insert(tx.db, realm));
  } catch (error) {
    // Another process was first.
    if (isDuplicate(error)) return false;
    throw error;
  }
  const add = async (name: string, fullName: string, more: object) =>
    (await createUser(kernel, { realmId, email: `${name}@example.com`, fullName, role: 'member', ...more })).id;
  // Hashed once: all demo users share this public password.
  const passwordHash = await passwords.hash(DEMO_PASSWORD, { address: '', account: '' });
  const owner = await add('owner', 'Olive Owner', { role: 'admin', passwordHash });
  const member = await add('member', 'Max Member', { passwordHash });
  const other = await add('other', 'Ola Other', { passwordHash });
  const guest = await add('guest', 'Gus Guest', { role: 'guest', passwordHash });
  const webhook = await add('webhook-bot', 'Webhook Bot', { bot: { type: INCOMING_WEBHOOK, ownerId: member } });
  const helper = await add('helper-bot', 'Helper Bot', { bot: { type: 1, ownerId: member } });
  const everyone = [owner, member, other, guest, webhook, helper];

  const stream = (name: string, description: string, subscribers: UserId[], more: Partial<streams.NewStream> = {}) =>
    addDemoStream(kernel.transaction, { realmId, name, description, subscribers, ...more });
  const general = await stream('general', 'Everything and everyone', everyone, { isDefault: true });
  // Announce new streams here.
  await kernel.transaction(async ({ db }) => {
    const founded = (await realms.lock(db, realmId))!;
    await realms.update(db, { ...founded, settings: { ...founded.settings, notifications_stream_id: general } });
  });
  await stream('test', 'Try things out here', everyone);
  await stream('announcements', 'News from the administrators', everyone, { isAnnouncementOnly: true });
  await stream('leadership', 'Private', [owner], { isPrivate: true, isHistoryPublic: false });
  return true;
}

export interface DemoStream extends Partial<streams.NewStream> {
  readonly realmId: RealmId;
  readonly name: string;
  readonly description: string;
  readonly subscribers: readonly UserId[];
  readonly color?: string;
}

const STREAM = { isPrivate: false, isAnnouncementOnly: false, isHistoryPublic: true, isDefault: false, folderId: null };

export function addDemoStream(
  transaction: Transact,
  { subscribers, color = COLOR, ...given }: DemoStream,
): Promise<StreamId> {
  return transaction(async ({ db }) => {
    const stream = { ...STREAM, renderedDescription: paragraphs(given.description), ...given };
    const [id] = await streams.insertAll(db, [stream]);
    await subscriptions.insert(
      db,
      subscribers.map((userId) => ({ recipientId: id!, userId, fromId: 1, color })),
    );
    return id!;
  });
}
