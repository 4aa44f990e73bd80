/** Stores the calls that a PBX has written down, each once: first the row, then the record is removed from the PBX. */
import type { Kernel } from '../../../kernel/kernel';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { CallsSide } from '../../actors/pbx-calls/calls-side';
import type { WaitingRecord } from '../../actors/pbx-calls/asterisk-records';
import type { CallContext } from '../../actors/pbx-instance/driver';
import { isCall, partiesOf, type CallRecord } from '../../model/calls/call-record';
import type { ContactId } from '../../model/contacts/contact';
import type { Instance } from '../../model/sites/site';
import * as calls from '../../store/calls/calls';
import * as extensions from '../../store/extensions/extensions';

/** In one transaction. */
const STORED_AT_ONCE = 100;
const REMOVED_AT_ONCE = 16;

interface Parts extends Pick<Kernel, 'log'> {
  /** Refuses to write once another process has taken over. */
  readonly write: Transact;
  readonly step: () => CallContext;
}

type Storing = Pick<CallsSide, 'records' | 'sounds'>;

/** Returns how many were new. */
export async function storeCalls(parts: Parts, instance: Instance, side: Storing): Promise<number> {
  const waiting = (await side.records?.list(parts.step())) ?? [];
  let stored = 0;
  for (let at = 0; at < waiting.length; at += STORED_AT_ONCE) {
    const page = waiting.slice(at, at + STORED_AT_ONCE);
    stored += await storePage(parts, instance, page);
    for (let from = 0; from < page.length; from += REMOVED_AT_ONCE) {
      await Promise.all(page.slice(from, from + REMOVED_AT_ONCE).map((each) => tidy(parts, side, each)));
    }
  }
  return stored;
}

async function storePage({ log, write }: Parts, instance: Instance, page: readonly WaitingRecord[]): Promise<number> {
  const unread = page.filter(({ record }) => !record).map(({ key }) => key);
  if (unread.length > 0) log.warn({ pbx: instance.uuid, unread }, 'records of calls make no sense and are dropped');
  const found = page.flatMap(({ record }) => (record && isCall(record) ? [kept(record)] : []));
  if (found.length === 0) return 0;
  const numbers = [...new Set(found.flatMap(partiesOf))].filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number);
  return write(async ({ db }) => {
    const known = await extensions.byNumbers(db, instance.uuid, numbers);
    const people = known.flatMap(({ number, userId }): [string, ContactId][] =>
      userId === null ? [] : [[String(number), userId]],
    );
    return calls.insertNew(db, instance, found, new Map(people));
  });
}

const isHeard = ({ outcome }: CallRecord): boolean => outcome === 'answered';

/** Nothing is on the recording of a call that nobody took. */
const kept = (record: CallRecord): CallRecord => (isHeard(record) ? record : { ...record, recording: null });

async function tidy({ step }: Parts, { records, sounds }: Storing, { key, record }: WaitingRecord): Promise<void> {
  if (record?.recording && !isHeard(record)) await sounds.remove(record.recording, step());
  await records?.remove(key, step());
}
