/** The history of calls: the owner sees all, others the calls that an extension of theirs took part in. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import {
  callObject,
  csvHead,
  csvLine,
  readSpot,
  writeSpot,
  type CallFilter,
  type StoredCall,
} from '../../model/calls/call';
import { noCall } from '../../model/calls/call-faults';
import type { Caller } from '../../model/contacts/contact';
import { existing, invalid } from '../../model/faults';
import type { Instance } from '../../model/sites/site';
import * as calls from '../../store/calls/calls';
import { getInstance } from '../sites/sites';

export type AskedCalls = Omit<CallFilter, 'contactId'>;

const filterFor = (by: Caller, asked: AskedCalls): CallFilter =>
  by.isOwner ? asked : { ...asked, contactId: by.contactId };

interface AskedPage {
  readonly uuid: string;
  readonly asked: AskedCalls;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** Newest first. `next` is where the following page begins; undefined after the last. */
export async function listCalls(
  db: Database,
  by: Caller,
  { uuid, asked, cursor, limit }: AskedPage,
): Promise<{ readonly items: object[]; readonly next: string | undefined }> {
  const instance = await getInstance(db, by, uuid);
  const after = cursor === undefined ? undefined : readSpot(cursor);
  ensure(cursor === undefined || after !== undefined, invalid('cursor: is none that this list has given'));
  // One more tells whether there is another page.
  const found = await calls.list(db, instance.uuid, filterFor(by, asked), { after, most: limit + 1 });
  const items = found.slice(0, limit);
  const isMore = found.length > limit;
  return { items: items.map(callObject), next: isMore ? writeSpot(items.at(-1)!) : undefined };
}

const EXPORTED_AT_ONCE = 1000;
/** About 15 MB. */
const MAX_EXPORTED = 100_000;

/** A CSV file, piece by piece, newest first. */
export async function exportCalls(
  db: Database,
  by: Caller,
  { uuid, asked }: Pick<AskedPage, 'uuid' | 'asked'>,
): Promise<AsyncIterable<string>> {
  const instance = await getInstance(db, by, uuid);
  return csvOf(db, instance, filterFor(by, asked));
}

async function* csvOf(db: Database, { uuid }: Instance, filter: CallFilter): AsyncGenerator<string> {
  yield csvHead();
  let after: StoredCall | undefined;
  for (let count = 0; count < MAX_EXPORTED; count += EXPORTED_AT_ONCE) {
    const page: StoredCall[] = await calls.list(db, uuid, filter, { after, most: EXPORTED_AT_ONCE });
    if (page.length > 0) yield page.map(csvLine).join('');
    if (page.length < EXPORTED_AT_ONCE) return;
    after = page.at(-1);
  }
}

/** A call that the caller may see. */
export async function findCall(
  db: Database,
  by: Caller,
  { uuid, id }: { readonly uuid: string; readonly id: string },
): Promise<{ readonly instance: Instance; readonly call: StoredCall }> {
  const instance = await getInstance(db, by, uuid);
  const call = existing(await calls.byId(db, instance.uuid, id), noCall);
  ensure(by.isOwner || (await calls.isParty(db, call.id, by.contactId)), noCall());
  return { instance, call };
}

export const getCall = async (
  db: Database,
  by: Caller,
  place: { readonly uuid: string; readonly id: string },
): Promise<object> => callObject((await findCall(db, by, place)).call);
