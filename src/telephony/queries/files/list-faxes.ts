/** Lists a company's faxes and fax destinations. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { noDestination, noFax } from '../../model/faults';
import { destinationObject, faxObject } from '../../model/files/fax';
import type { Listed, Page } from '../../model/paging';
import * as destinations from '../../store/files/fax-destinations';
import * as faxes from '../../store/files/faxes';

export async function listFaxes(
  { readFrom }: Kernel,
  by: Caller,
  query: { filter: faxes.FaxFilter; page: Page },
): Promise<Listed<object>> {
  const [total, found] = await readFrom((db) =>
    Promise.all([faxes.count(db, by.companyId, query.filter), faxes.list(db, by.companyId, query)]),
  );
  return { total, items: found.map(faxObject) };
}

export async function getFax({ mysql }: Kernel, by: Caller, id: string): Promise<object> {
  const fax = await faxes.byId(mysql, by.companyId, id);
  ensure(fax !== undefined, noFax());
  return faxObject(fax);
}

export async function listDestinations({ mysql }: Kernel, by: Caller, page: Page): Promise<Listed<object>> {
  const [total, found] = await Promise.all([
    destinations.count(mysql, by.companyId),
    destinations.list(mysql, by.companyId, page),
  ]);
  return { total, items: found.map(destinationObject) };
}

export async function getDestination({ mysql }: Kernel, by: Caller, id: string): Promise<object> {
  const destination = await destinations.byId(mysql, by.companyId, id);
  ensure(destination !== undefined, noDestination());
  return destinationObject(destination);
}
