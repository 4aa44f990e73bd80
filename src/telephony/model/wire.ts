/** Wire formats of companies, contacts, locations and PBX instances. */
import type { Wire } from '../../kernel/text/wire';
import type * as answers from './answers/company';
import type { Company } from './companies/company';
import { invitationStatus, type Contact } from './contacts/contact';
import type { Instance, Location } from './sites/site';

const stamp = (at: Date | null): string | null => at?.toISOString() ?? null;

export function companyObject(company: Company, employees: number): Wire<typeof answers.company> {
  return {
    id: company.id,
    name: company.name,
    status: company.status,
    ...company.details,
    employees,
    created: company.createdAt.toISOString(),
    updated: company.updatedAt.toISOString(),
  };
}

/** A short form of a contact's extension. */
export interface ExtensionBrief {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly description: string;
}

export function contactObject(contact: Contact, extension: ExtensionBrief | null, now: Date): answers.WireContact {
  const { details, invitation } = contact;
  return {
    id: contact.id,
    company_id: contact.companyId,
    first_name: contact.firstName,
    last_name: contact.lastName,
    work_email: contact.workEmail,
    activated: contact.isActivated,
    is_primary: contact.isPrimary,
    ...details,
    birthdate: details.birthdate === '' ? null : details.birthdate,
    extension: extension && {
      id: extension.id,
      description: extension.description,
      name: extension.name,
      number: extension.number,
    },
    invitation: {
      status: invitationStatus(invitation, now),
      issued_at: stamp(invitation.issuedAt),
      expired_at: stamp(invitation.endsAt),
      accepted_at: stamp(invitation.acceptedAt),
    },
    last_enter: stamp(contact.lastEnterAt),
    created: contact.createdAt.toISOString(),
    updated: contact.updatedAt.toISOString(),
  };
}

export const locationObject = (location: Location): Wire<typeof answers.location> => ({
  id: location.id,
  company_id: location.companyId,
  name: location.name,
  ...location.details,
  pbx_id: location.pbx,
  created: location.createdAt.toISOString(),
  updated: location.updatedAt.toISOString(),
});

/** The host that phones register at: as configured for the instance, else the host of its address. */
export function registrarOf({ details, address }: Instance): string {
  return details['external_domain'] || details['fqdn'] || hostOf(address);
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : address);

export function instanceObject(instance: Instance): Wire<typeof answers.instance> {
  const { details } = instance;
  const host = registrarOf(instance);
  return {
    _id: instance.id,
    uuid: instance.uuid,
    accountcode: details['accountcode'] ?? instance.uuid.slice(0, 8),
    channel_driver: details['channel_driver'] ?? 'pjsip',
    company_id: instance.companyId,
    company_name: instance.companyName,
    external_domain: details['external_domain'] ?? host,
    fqdn: details['fqdn'] ?? host,
    hostname: details['hostname'] ?? host,
    internal_domain: details['internal_domain'] ?? host,
    ip: details['ip'] ?? hostOf(instance.address),
    proxy_ip: details['proxy_ip'] ?? '',
    location_id: instance.locationId,
  };
}
