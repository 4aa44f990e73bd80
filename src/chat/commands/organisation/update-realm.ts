/** Changes an organisation's settings, and publishes the change to everyone in it. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Storage } from '../../../kernel/kernel';
import { noSuchRealm } from '../../model/faults';
import { realmChanges } from '../../model/organisation/realm-events';
import type { Realm, RealmId } from '../../model/organisation/realm';
import {
  changedSettings,
  checkRealmChanges,
  type RealmChanges,
  type RealmSettings,
} from '../../model/organisation/realm-settings';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessStream } from '../../queries/streams/access-stream';
import { moveFullMembers } from '../users/follow-time';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';

type Changing = Pick<Storage, 'clock' | 'transaction'>;

/** For operators. Returns what changed. */
export function updateRealm(kernel: Changing, realmId: RealmId, changes: RealmChanges): Promise<Partial<RealmValues>> {
  return change(kernel, realmId, changes, async (db, streamId) => {
    if ((await streams.byId(db, realmId, streamId))?.isArchived !== false) throw invalidStreamId();
  });
}

/** For the organisation's administrators, who may name only streams that they can see. */
export async function updateOwnRealm(kernel: Changing, by: User, changes: RealmChanges): Promise<Partial<RealmValues>> {
  ensureAdmin(by);
  return change(kernel, by.realmId, changes, async (db, streamId) => {
    await accessStream(db, by, streamId);
  });
}

/** The settings, plus the two values that have their own columns. */
export interface RealmValues extends RealmSettings {
  readonly name: string;
  readonly description: string;
}

const valuesOf = ({ name, description, settings }: Realm): RealmValues => ({ name, description, ...settings });

async function change(
  { transaction, clock }: Changing,
  realmId: RealmId,
  changes: RealmChanges,
  checkStream: (db: Database, streamId: number) => Promise<void>,
): Promise<Partial<RealmValues>> {
  checkRealmChanges(changes);
  return transaction(async (tx) => {
    const realm = await realms.lock(tx.db, realmId);
    if (!realm) throw noSuchRealm();
    const { notifications_stream_id: forStreams, signup_notifications_stream_id: forUsers } = changes.settings;
    for (const id of [forStreams, forUsers]) if (id !== undefined && id >= 0) await checkStream(tx.db, id);
    const next: Realm = {
      ...realm,
      name: changes.name?.trim() ?? realm.name,
      description: changes.description ?? realm.description,
      settings: changedSettings(realm.settings, changes.settings),
    };
    const before = valuesOf(realm);
    const after = valuesOf(next);
    const changed = (Object.keys(after) as (keyof RealmValues)[]).filter((key) => before[key] !== after[key]);
    if (changed.length === 0) return {};
    await realms.update(tx.db, next);
    if (changed.includes('waiting_period_threshold')) await moveFullMembers(tx, realm, next.settings, clock.now());
    for (const delivery of realmChanges(realmId, after, changed)) tx.deliver(delivery);
    return Object.fromEntries(changed.map((key) => [key, after[key]]));
  });
}
