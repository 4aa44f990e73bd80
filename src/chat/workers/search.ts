/** Fills chat's search table behind the messages. Any number of workers may run it, also at once. */
import { tenantOf } from '../../kernel/actor/address';
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { fillSearchIndex } from '../commands/reading/fill-search-index';

/** Twice within the two seconds in which a message must become searchable. */
const EVERY_MS = 1000;

const fill = defineJob<unknown>('chat-search', { attempts: 1, backoffMs: 1000 });

/** Unused, but workers of release 0.1, which run the same schedule, need an address. */
const PAYLOAD: unknown = {
  address: { tenant: tenantOf('chat', 'cluster'), kind: 'search-index', id: '' },
  input: null,
};

export const chatSearch: Consumer<unknown, void> = consume(fill, {
  concurrency: 1,
  schedule: () => ({ everyMs: EVERY_MS, payload: PAYLOAD }),
  run: (kernel, _payload, { signal }) => fillSearchIndex(kernel, signal),
});
