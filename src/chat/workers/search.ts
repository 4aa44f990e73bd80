/** Fills chat's search table behind the messages. Any number of workers may run it: a lease admits one at a time. */
import { searchIndexActor, searchIndexOrder } from '../actors/search-index/search-index';
import type { Order } from '../../kernel/actor/leased-turn';
import type { Consumer } from '../../kernel/jobs/consume';

/** Twice within the two seconds in which a message must become searchable. */
const EVERY_MS = 1000;

export const chatSearch: Consumer<Order<null>, void> = {
  ...searchIndexActor.turns.fill.consumer,
  schedule: () => ({ everyMs: EVERY_MS, payload: searchIndexOrder }),
};
