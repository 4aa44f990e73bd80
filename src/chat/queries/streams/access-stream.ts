/** Returns a stream that the user may use. The error is the same whether it is hidden or does not exist. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Fault } from '../../../kernel/fault';
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

export interface AccessOptions {
  /** Whether administrators get access without a subscription: for managing streams, not for reading. */
  readonly admitAdmins?: boolean;
}

/** With a transaction's database, this sees the rows that the transaction locked. */
export async function accessStreamById(
  db: Database,
  by: Viewer,
  id: number,
  options: AccessOptions = {},
): Promise<Access> {
  return grant(db, by, { stream: await streams.byId(db, by.realmId, id), refusal: invalidStreamId() }, options);
}

export async function accessStreamByName(
  db: Database,
  by: Viewer,
  name: string,
  options: AccessOptions = {},
): Promise<Access> {
  const stream = await streams.byName(db, by.realmId, name.trim());
  return grant(db, by, { stream, refusal: invalidStreamName(name) }, options);
}

async function grant(
  db: Database,
  by: Viewer,
  { stream, refusal }: { stream: Stream | undefined; refusal: Fault },
  { admitAdmins = false }: AccessOptions,
): Promise<Access> {
  if (!stream) throw refusal;
  const found = await subscriptions.find(db, by.id, stream.id);
  const subscription = found?.isActive === true ? found : undefined;
  const may = admitAdmins ? mayKnow : maySee;
  if (!may(by, stream, subscription !== undefined)) throw refusal;
  return { stream, subscription };
}
