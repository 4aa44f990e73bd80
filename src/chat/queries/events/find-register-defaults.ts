/** Defaults for a queue whose client does not set them; for bots, the settings of their owners. */
import type { Database } from '../../../kernel/mysql/pool';
import type { QueueFilters } from '../../model/events/queue';
import type { User } from '../../model/users/user';
import * as bots from '../../store/bots/bots';

type Defaults = Pick<QueueFilters, 'narrow' | 'allPublicStreams'>;

const NONE: Defaults = { narrow: [], allPublicStreams: false };

export async function findRegisterDefaults(db: Database, by: User): Promise<Defaults> {
  if (by.botType === null) return NONE;
  const { eventsStream, isAllPublic } = await bots.defaultsOf(db, by.id);
  return { narrow: eventsStream === null ? [] : [['stream', eventsStream]], allPublicStreams: isAllPublic };
}
