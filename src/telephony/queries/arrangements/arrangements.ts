/** Reads ring groups, numbers from outside, and the forwards of an extension, as the database has them. */
import type { Database } from '../../../kernel/mysql/pool';
import type { MadeKind } from '../../model/arrangements/arrangement';
import { forwardsObject, madeObject, UNSET } from '../../model/arrangements/arrangement-wire';
import type { Caller } from '../../model/contacts/contact';
import { noExtension, noOutsideNumber, noRingGroup } from '../../model/faults';
import type { Listed, Page } from '../../model/paging';
import * as arrangements from '../../store/arrangements/arrangements';
import * as extensions from '../../store/extensions/extensions';
import { getInstance } from '../sites/sites';

interface Asked {
  readonly uuid: string;
  readonly kind: MadeKind;
}

export async function listMade(db: Database, by: Caller, { uuid, kind, page }: Asked & { readonly page: Page }) {
  const { uuid: instance } = await getInstance(db, by, uuid);
  const { items, total } = await arrangements.list(db, { instance, kind }, page);
  return { items: items.map(madeObject), total } satisfies Listed<object>;
}

export async function getMade(db: Database, by: Caller, { uuid, kind, id }: Asked & { readonly id: string }) {
  const { uuid: instance } = await getInstance(db, by, uuid);
  const found = await arrangements.byId(db, { instance, kind, id });
  if (!found?.isVisible) throw kind === 'number' ? noOutsideNumber() : noRingGroup();
  return madeObject(found);
}

export async function getForwards(db: Database, by: Caller, { uuid, id }: { uuid: string; id: string }) {
  const { uuid: instance } = await getInstance(db, by, uuid);
  const extension = await extensions.byId(db, instance, id);
  if (!extension?.isVisible) throw noExtension();
  const row = await arrangements.byNumber(db, { instance, kind: 'forwards', number: extension.number });
  return forwardsObject(extension, row ?? UNSET);
}
