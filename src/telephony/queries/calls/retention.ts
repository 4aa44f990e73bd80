/** How long a company keeps its calls and recordings. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { callRetention } from '../../model/answers/calls';
import type { Caller } from '../../model/contacts/contact';
import * as retention from '../../store/calls/retention';

export async function getRetention(db: Database, by: Caller): Promise<Wire<typeof callRetention>> {
  const { callDays, recordingDays } = await retention.of(db, by.companyId);
  return { keep_days: callDays, keep_recordings_days: recordingDays };
}
