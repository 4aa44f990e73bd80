/** Retries a change of streams when a concurrent one created, renamed or deactivated one of them. */
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import type { RealmId } from '../../model/organisation/realm';
import type { Stream } from '../../model/streams/stream';
import * as streams from '../../store/streams/streams';

/** A stream was found, but had changed before it was locked. */
class Overtaken extends Error {
  constructor() {
    super('a stream changed before it was locked');
    this.name = 'Overtaken';
  }
}

const MAX_ATTEMPTS = 5;

export async function settleStreams<T>(transaction: Transact, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction(work);
    } catch (error) {
      const isStale = error instanceof Overtaken || isDuplicate(error);
      if (!isStale || tries === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Locks streams for a change of their audience, and reads them again under the lock. */
export async function lockStreams(tx: Tx, realmId: RealmId, found: readonly Stream[]): Promise<Stream[]> {
  const ids = found.map(({ id }) => id);
  await streams.lockForAudience(tx.db, ids);
  const locked = new Map((await streams.byIds(tx.db, realmId, ids)).map((stream) => [stream.id, stream]));
  return found.map(({ id, name }) => {
    const stream = locked.get(id);
    if (stream?.name !== name) throw new Overtaken();
    return stream;
  });
}
