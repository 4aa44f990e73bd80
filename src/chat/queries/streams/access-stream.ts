/** Returns a stream that the user may use. The error is the same whether it is hidden or does not exist. */
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmId } from '../../model/organisation/realm';
import { invalidStreamId, invalidStreamName } from '../../model/streams/stream-faults';
import { mayKnow, maySee } from '../../model/streams/stream-policy';
import type { Stream } from '../../model/streams/stream';
import type { Subscription } from '../../model/streams/subscription';
import type { User } from '../../model/users/user';
import * as streams from '../../store/streams/streams';
import * as subscriptions from '../../store/streams/subscriptions';

export interface Access {
  readonly stream: Stream;
  /** Only while it is active. */
  readonly subscription: Subscription | undefined;
}

type Viewer = Pick<User, 'id' | 'realmId' | 'role'>;

/** A stream by its name or its id. */
export type StreamRef = string | number;

interface AccessOptions {
  /** Whether administrators get access without a subscription: for managing streams, not for reading. */
  readonly admitAdmins?: boolean;
  /** Whether archived streams can be used: for reading. */
  readonly admitArchived?: boolean;
}

/** With a transaction's database, this sees the rows that the transaction locked. */
export async function accessStream(
  db: Database,
  by: Viewer,
  ref: StreamRef,
  { admitAdmins = false, admitArchived = false }: AccessOptions = {},
): Promise<Access> {
  const refusal = typeof ref === 'string' ? invalidStreamName(ref) : invalidStreamId();
  const stream = await findStream(db, by.realmId, ref);
  if (!stream || (stream.isArchived && !admitArchived)) throw refusal;
  const found = await subscriptions.find(db, by.id, stream.id);
  const subscription = found?.isActive === true ? found : undefined;
  const may = admitAdmins ? mayKnow : maySee;
  if (!may(by, stream, subscription !== undefined)) throw refusal;
  return { stream, subscription };
}

export const findStream = (db: Database, realmId: RealmId, ref: StreamRef): Promise<Stream | undefined> =>
  typeof ref === 'string' ? streams.byName(db, realmId, ref.trim()) : streams.byId(db, realmId, ref);
