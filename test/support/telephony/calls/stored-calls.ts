/** Calls in the history, as if a PBX had written them down. */
import type { Kernel } from '../../../../src/kernel/kernel';
import type { CallRecord } from '../../../../src/telephony/model/calls/call-record';
import type { CompanyId } from '../../../../src/telephony/model/companies/company';
import type { ContactId } from '../../../../src/telephony/model/contacts/contact';
import { insertNew } from '../../../../src/telephony/store/calls/calls';

let made = 0;

export function callRecord(more: Partial<CallRecord> = {}): CallRecord {
  made += 1;
  const startedAt = more.startedAt ?? new Date(Date.UTC(2026, 10, 1, 8, 0, made));
  const callId = `1794979400.${made}`;
  return {
    callId,
    linkedId: callId,
    startedAt,
    endedAt: new Date(startedAt.getTime() + 20_000),
    direction: 'internal',
    from: '101',
    fromName: 'Ann',
    dialled: '102',
    to: '102',
    answeredBy: '102',
    outcome: 'answered',
    talkSeconds: 12,
    cause: 16,
    recording: null,
    ...more,
  };
}

/** `people`: whose the extensions are. */
export async function storeCalls(
  { mysql }: Pick<Kernel, 'mysql'>,
  uuid: string,
  records: readonly CallRecord[],
  people: Readonly<Record<string, string>> = {},
): Promise<number> {
  const row = (await mysql('tel_instances').where({ uuid }).first('company_id')) as { company_id: CompanyId };
  const owners = new Map(Object.entries(people) as [string, ContactId][]);
  return insertNew(mysql, { uuid, companyId: row.company_id }, records, owners);
}
