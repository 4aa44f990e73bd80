/** Telephony's jobs that are nobody's in particular: they look for work, which waits in mailboxes. */
import { defineJob } from '../kernel/jobs/job';

/** Have every PBX compared. */
export const reconcileAll = defineJob<null>('pbx-reconcile-all', { attempts: 1, backoffMs: 1000 });

/** Find users whom no node reports any more. */
export const sweepPresence = defineJob<null>('presence-sweep', { attempts: 1, backoffMs: 1000 });
