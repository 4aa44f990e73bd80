/** Rows of tel_calls and tel_call_parties: calls that have ended, and the numbers that took part. */
import type { Knex } from 'knex';
import { newId } from '../../../kernel/id';
import type { CallFilter, CallSpot, StoredCall } from '../../model/calls/call';
import { partiesOf, type CallRecord } from '../../model/calls/call-record';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';
import type { Instance } from '../../model/sites/site';
import { firstOf } from '../reads';

const COLUMNS = {
  id: 'c.id',
  companyId: 'c.company_id',
  pbx: 'c.pbx',
  callId: 'c.call_id',
  linkedId: 'c.linked_id',
  startedAt: 'c.started_at',
  endedAt: 'c.ended_at',
  direction: 'c.direction',
  from: 'c.from_number',
  fromName: 'c.from_name',
  dialled: 'c.dialled',
  to: 'c.to_number',
  answeredBy: 'c.answered_by',
  outcome: 'c.outcome',
  talkSeconds: 'c.talk_seconds',
  cause: 'c.cause',
  recording: 'c.recording',
} satisfies Record<keyof StoredCall, string>;

const keyOf = ({ callId, startedAt }: Pick<CallRecord, 'callId' | 'startedAt'>): string =>
  `${callId} ${startedAt.getTime()}`;

/** Stores those that are not there yet. `personOf` says whose an extension is now. */
export async function insertNew(
  db: Knex,
  { uuid: pbx, companyId }: Pick<Instance, 'uuid' | 'companyId'>,
  records: readonly CallRecord[],
  personOf: ReadonlyMap<string, ContactId>,
): Promise<number> {
  const ids = records.map(({ callId }) => callId);
  const known = (await db('tel_calls').where({ pbx }).whereIn('call_id', ids).select({
    callId: 'call_id',
    startedAt: 'started_at',
  })) as Pick<CallRecord, 'callId' | 'startedAt'>[];
  const there = new Set(known.map(keyOf));
  const rows = records.filter((record) => !there.has(keyOf(record))).map((record) => ({ id: newId(), record }));
  if (rows.length === 0) return 0;
  await db('tel_calls').insert(rows.map(({ id, record }) => rowOf(id, pbx, companyId, record)));
  const parties = rows.flatMap(({ id, record }) =>
    partiesOf(record).map((number) => ({
      id,
      number,
      pbx,
      contact_id: personOf.get(number) ?? null,
      started_at: record.startedAt,
    })),
  );
  if (parties.length > 0) await db('tel_call_parties').insert(parties);
  return rows.length;
}

// oxlint-disable-next-line max-params -- the keys of the row, and what it holds
const rowOf = (id: string, pbx: string, companyId: CompanyId, record: CallRecord) => ({
  id,
  company_id: companyId,
  pbx,
  call_id: record.callId,
  linked_id: record.linkedId,
  started_at: record.startedAt,
  ended_at: record.endedAt,
  direction: record.direction,
  from_number: record.from,
  from_name: record.fromName,
  dialled: record.dialled,
  to_number: record.to,
  answered_by: record.answeredBy,
  outcome: record.outcome,
  talk_seconds: record.talkSeconds,
  cause: record.cause,
  recording: record.recording,
});

/** Newest first, after the spot if there is one. */
export async function list(
  db: Knex,
  pbx: string,
  filter: CallFilter,
  { after, most }: { after: CallSpot | undefined; most: number },
): Promise<StoredCall[]> {
  const { number, contactId, direction, isAnswered, from, to } = filter;
  // Read from the index of a number or of a person, if one is named: the rest of the history is not walked through.
  const isByParty = number !== undefined || contactId !== undefined;
  const [time, id] = isByParty ? ['p.started_at', 'p.id'] : ['c.started_at', 'c.id'];
  const query = isByParty
    ? db('tel_call_parties AS p').join('tel_calls AS c', 'c.id', 'p.id').where('p.pbx', pbx)
    : db('tel_calls AS c').where('c.pbx', pbx);
  if (number !== undefined) void query.where('p.number', number);
  if (contactId !== undefined) void ofPerson(query, contactId, number !== undefined);
  if (direction !== undefined) void query.where('c.direction', direction);
  if (isAnswered !== undefined) void query.where('c.outcome', isAnswered ? '=' : '<>', 'answered');
  if (from !== undefined) void query.where(time, '>=', from);
  if (to !== undefined) void query.where(time, '<', to);
  if (after) {
    void query.where((spot) => {
      void spot
        .where(time, '<', after.startedAt)
        .orWhere((same) => void same.where(time, after.startedAt).where(id, '<', after.id));
    });
  }
  return (await query
    .orderBy([
      { column: time, order: 'desc' },
      { column: id, order: 'desc' },
    ])
    .limit(most)
    .distinct({ ...COLUMNS, id, startedAt: time })) as StoredCall[];
}

/** Of a number, those of its calls that the person took part in; otherwise all calls of the person. */
const ofPerson = (query: Knex.QueryBuilder, contactId: ContactId, isOfNumber: boolean): Knex.QueryBuilder =>
  isOfNumber
    ? query.whereRaw('EXISTS (SELECT 1 FROM tel_call_parties AS o WHERE o.id = p.id AND o.contact_id = ?)', [contactId])
    : query.where('p.contact_id', contactId);

export const byId = (db: Knex, pbx: string, id: string): Promise<StoredCall | undefined> =>
  firstOf(db('tel_calls AS c').where({ 'c.pbx': pbx, 'c.id': id }).select(COLUMNS), (row: StoredCall) => row);

export async function isParty(db: Knex, id: string, contactId: ContactId): Promise<boolean> {
  return (await db('tel_call_parties').where({ id, contact_id: contactId }).first('id')) !== undefined;
}

export async function forgetRecording(db: Knex, ids: readonly string[]): Promise<void> {
  await db('tel_calls').whereIn('id', ids).update({ recording: null });
}
