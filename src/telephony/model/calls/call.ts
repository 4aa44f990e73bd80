/** A call in the history, what it may be looked for by, and how it is written on the wire and into files. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/calls';
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';
import type { CallRecord, Direction } from './call-record';

export interface StoredCall extends CallRecord {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly pbx: string;
}

export interface CallFilter {
  /** As it was dialled, shown or rang. */
  readonly number?: string | undefined;
  /** Only calls that this person took part in. */
  readonly contactId?: ContactId | undefined;
  readonly direction?: Direction | undefined;
  readonly isAnswered?: boolean | undefined;
  /** From this moment on, and before that one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** A place in the list. */
export type CallSpot = Pick<StoredCall, 'startedAt' | 'id'>;

export const writeSpot = ({ startedAt, id }: CallSpot): string => `${startedAt.getTime()}-${id}`;

export function readSpot(text: string): CallSpot | undefined {
  const [, time = '', id = ''] = /^(\d{1,15})-([0-9a-f]{24})$/.exec(text) ?? [];
  return id === '' ? undefined : { startedAt: new Date(Number(time)), id };
}

export const callObject = (call: StoredCall): Wire<typeof answers.call> => ({
  _id: call.id,
  call_id: call.callId,
  linked_id: call.linkedId,
  pbx: call.pbx,
  direction: call.direction,
  from: call.from,
  from_name: call.fromName,
  dialled: call.dialled,
  to: call.to,
  answered_by: call.answeredBy,
  outcome: call.outcome,
  started_at: call.startedAt.toISOString(),
  ended_at: call.endedAt.toISOString(),
  talk_seconds: call.talkSeconds,
  cause: call.cause,
  has_recording: call.recording !== null,
});

const CSV_COLUMNS = [
  'started_at',
  'ended_at',
  'direction',
  'from',
  'from_name',
  'dialled',
  'to',
  'answered_by',
  'outcome',
  'talk_seconds',
  'has_recording',
  'call_id',
] as const;

export const csvHead = (): string => lineOf(CSV_COLUMNS);

export function csvLine(call: StoredCall): string {
  const object = callObject(call);
  return lineOf(CSV_COLUMNS.map((name) => (name === 'from_name' ? harmless(object[name]) : String(object[name]))));
}

/** A spreadsheet would run a name that begins like a formula. Callers choose their names. */
const harmless = (name: string): string => (/^[=+\-@\t]/.test(name) ? `'${name}` : name);

const lineOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
