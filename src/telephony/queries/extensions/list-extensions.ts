/** Lists an instance's or a user's extensions, and checks whether a user and a number are free. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Caller, ContactId } from '../../model/contacts/contact';
import { extensionObject, maySeeCredentials } from '../../model/extensions/extension-wire';
import { unseal } from '../../model/extensions/sealing';
import { invalid, noContact, noExtension, noExtensions, noInstance, existing } from '../../model/faults';
import type { Listed, Page } from '../../model/paging';
import { isUuid } from '../../model/sites/site';
import type { Telephony } from '../../parts';
import * as contacts from '../../store/contacts/contacts';
import * as lists from '../../store/extensions/extension-lists';
import * as extensions from '../../store/extensions/extensions';
import * as sites from '../../store/sites/sites';
import { getInstance } from '../sites/sites';
import { numbersIn } from './numbers-in-state';
import { standingsOf } from './standings';

export async function listExtensions(
  telephony: Storage & Pick<Telephony, 'drivers'>,
  by: Caller,
  { uuid, ...asked }: { uuid: string; query: lists.ExtensionQuery; page: Page },
): Promise<Listed<object>> {
  const pbx = uuid.toLowerCase();
  ensure(isUuid(pbx), noInstance());
  const only = await numbersIn(telephony, by, pbx, asked.query.filterBy);
  const { instances, page } = await pageWithInstances(telephony.mysql, by, pbx, {
    ...asked,
    query: { ...asked.query, only },
  });
  // Another company's instance counts as missing.
  ensure(
    instances.some((each) => each.uuid === pbx),
    noInstance(),
  );
  ensure(page.items.length > 0, noExtensions());
  return { total: page.total, items: await present(telephony, by, page.items, instances) };
}

/** In one round trip, unless the page is searched for. */
async function pageWithInstances(
  db: Database,
  { companyId }: Caller,
  pbx: string,
  asked: { query: lists.ExtensionQuery; page: Page },
) {
  const reading = sites.instancesRead(db, companyId);
  if (!lists.isSearch(asked))
    return runRead(db, together({ instances: reading, page: lists.pageRead(db, pbx, asked) }));
  const [instances, page] = await Promise.all([runRead(db, reading), lists.pageExtensions(db, pbx, asked)]);
  return { instances, page };
}

export async function getExtension(
  telephony: Storage & Pick<Telephony, 'drivers'>,
  by: Caller,
  place: { uuid: string; id: string },
): Promise<object> {
  const { uuid: pbx } = await getInstance(telephony.mysql, by, place.uuid);
  const found = await extensions.byId(telephony.mysql, pbx, place.id);
  if (!found?.isVisible) throw noExtension();
  const [object] = await present(telephony, by, [found]);
  return object!;
}

/** Lists at most this many unassigned extensions; the instance's own list shows all. */
const MAX_UNASSIGNED = 1000;

export async function listAccountExtensions(
  telephony: Storage & Pick<Telephony, 'drivers'>,
  by: Caller,
  asked: { contactId: string; purpose: 'softphone' | 'unassigned' | undefined },
): Promise<object[]> {
  const contact = existing(await contacts.byId(telephony.mysql, by.companyId, asked.contactId), noContact);
  const found =
    asked.purpose === 'unassigned'
      ? await extensions.ofNobody(telephony.mysql, by.companyId, MAX_UNASSIGNED)
      : await extensions.ofUser(telephony.mysql, by.companyId, contact.id);
  const wanted = asked.purpose === 'softphone' ? found.filter(({ purpose }) => purpose === 'mobile-app') : found;
  return present(telephony, by, wanted);
}

/** Throws if the user already has an extension, or the number belongs to another user. */
export async function checkAssignment(
  db: Database,
  by: Caller,
  asked: { uuid: string; email: string; number: number },
): Promise<object> {
  const { uuid: pbx } = await getInstance(db, by, asked.uuid);
  const [user, holder] = await Promise.all([
    contacts.byEmail(db, by.companyId, asked.email),
    extensions.byNumber(db, pbx, asked.number),
  ]);
  ensure(user !== undefined, invalid(`email: there is no user ${asked.email} in this company`));
  const hasOne = await extensions.hasUser(db, user.id);
  ensure(!hasOne, invalid(`email: ${asked.email} has an extension already`));
  const isOthers = holder !== undefined && holder.userId !== null;
  ensure(!isOthers, invalid(`id: the extension ${asked.number} is assigned to a user already`));
  return { email: asked.email, id: asked.number, available: true };
}

async function present(
  telephony: Storage & Pick<Telephony, 'drivers'>,
  by: Caller,
  found: readonly extensions.SealedExtension[],
  ofCompany?: readonly sites.StoredInstance[],
): Promise<object[]> {
  const users = [...new Set(found.map(({ userId }) => userId))].filter((id): id is ContactId => id !== null);
  const [known, instances] = await Promise.all([
    contacts.byIds(telephony.mysql, by.companyId, users),
    ofCompany ?? sites.listInstances(telephony.mysql, by.companyId),
  ]);
  const contactOf = new Map(known.map((each) => [each.id, each]));
  const instanceOf = new Map(instances.map((each) => [each.uuid, each]));
  const standings = await standingsOf(telephony, found, instanceOf);
  const now = telephony.clock.now();
  return found.map((sealed) => {
    const extension = unseal(telephony.secrets, sealed);
    const user = (sealed.userId && contactOf.get(sealed.userId)) ?? null;
    const view = { extension, user, instance: instanceOf.get(sealed.pbx)!, ...standings.get(sealed.id) };
    return extensionObject(view, maySeeCredentials(by, extension), now);
  });
}
