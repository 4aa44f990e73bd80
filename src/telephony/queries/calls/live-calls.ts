/** Calls under way in a company. The owner sees all, others those that an extension of theirs takes part in. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../../model/answers/calls';
import type { Caller } from '../../model/contacts/contact';
import { LISTENED_BACKENDS } from '../../model/sites/backends';
import * as lines from '../../store/calls/lines';
import * as extensions from '../../store/extensions/extensions';
import * as sites from '../../store/sites/sites';

const MAX = 1000;

export async function listLiveCalls(db: Database, by: Caller): Promise<Wire<typeof answers.liveCalls>> {
  const [found, instances, own] = await Promise.all([
    lines.liveCallsOfCompany(db, by.companyId, MAX),
    sites.listInstances(db, by.companyId),
    by.isOwner ? [] : extensions.ofUser(db, by.companyId, by.contactId),
  ]);
  const listened = instances.filter(({ backend }) => LISTENED_BACKENDS.includes(backend)).map(({ uuid }) => uuid);
  const known = await lines.validAmong(db, listened);
  const isOwn = ({ pbx, call }: lines.CompanyCall): boolean =>
    by.isOwner || own.some((each) => each.pbx === pbx && call.extensions.includes(each.number));
  return {
    calls: found.filter(isOwn).map(({ pbx, call }) => ({
      call_id: call.callId,
      pbx,
      direction: call.direction,
      state: call.answeredAt ? ('answered' as const) : ('ringing' as const),
      from: call.from,
      from_name: call.fromName,
      dialled: call.dialled,
      answered_by: call.answeredBy,
      extensions: [...call.extensions],
      started_at: call.startedAt.toISOString(),
      answered_at: call.answeredAt?.toISOString() ?? null,
    })),
    unknown: listened.filter((uuid) => !known.has(uuid)),
  };
}
