/** Telephony's scheduled jobs. They only look for work; the work itself waits in mailboxes. */
import { defineJob } from '../kernel/jobs/job';

/** Requests a comparison of every PBX with the database. */
export const reconcileAll = defineJob<null>('pbx-reconcile-all', { attempts: 1, backoffMs: 1000 });

/** Finds users whom no node has reported recently. */
export const sweepPresence = defineJob<null>('presence-sweep', { attempts: 1, backoffMs: 1000 });
