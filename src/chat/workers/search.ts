/** Fills chat's search table behind the messages. Any number of workers may run it, also at once. */
import { consume, type Consumer } from '../../kernel/jobs/consume';
import { defineJob } from '../../kernel/jobs/job';
import { fillSearchIndex } from '../commands/reading/fill-search-index';

/** Twice within the two seconds in which a message must become searchable. */
const EVERY_MS = 1000;

const fill = defineJob<null>('chat-search', { attempts: 1, backoffMs: 1000 });

export const chatSearch: Consumer<null, void> = consume(fill, {
  concurrency: 1,
  schedule: () => ({ everyMs: EVERY_MS, payload: null }),
  run: (kernel, _payload, { signal }) => fillSearchIndex(kernel, signal),
});
