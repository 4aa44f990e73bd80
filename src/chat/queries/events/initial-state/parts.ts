/** The parts of the initial state, by the event type under which clients request them. */
import { accountParts } from './account-parts';
import { messageParts } from './message-parts';
import type { StateParts } from './part';
import { peopleParts } from './people-parts';
import { realmParts } from './realm-parts';
import { streamParts } from './stream-parts';

export const PARTS: StateParts = {
  ...accountParts,
  ...messageParts,
  ...peopleParts,
  ...realmParts,
  ...streamParts,
};
