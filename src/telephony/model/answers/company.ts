/** Schemas of a company, its users, locations, PBX instances and audit trail. */
import { z } from 'zod';
import { ARRANGEMENT_KINDS } from '../arrangements/arrangement';
import { BACKENDS, ROLES } from '../sites/backends';
import type { Wire } from '../../../kernel/text/wire';

export const time = z.string().meta({ format: 'date-time' });
export const uuid = z.string().meta({ format: 'uuid' });

const street = z.object({ name: z.string(), number: z.number(), type: z.string() });

export const address = z
  .object({
    address2: z.string(),
    city: z.string(),
    country: z.string(),
    number: z.string(),
    state: z.string(),
    street,
    zip: z.string(),
  })
  .meta({ id: 'Address' });

export const company = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.string(),
    address,
    affiliate: z.boolean(),
    billing_email: z.string(),
    description: z.string(),
    email: z.string(),
    emergency_contact_number: z.string(),
    fax: z.string(),
    onboarding: z.boolean(),
    partner_id: z.string(),
    phone: z.string(),
    revenue: z.int(),
    website: z.string(),
    employees: z.int(),
    created: time,
    updated: time,
  })
  .meta({ id: 'Company' });

const invitation = z.object({
  status: z.enum(['accepted', 'expired', 'pending']),
  issued_at: time.nullable(),
  expired_at: time.nullable(),
  accepted_at: time.nullable(),
});

const phones = z.object({ home: z.string(), mobile: z.string(), other: z.string(), work: z.string() });

const contactShape = {
  id: z.string(),
  company_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  work_email: z.string(),
  activated: z.boolean(),
  is_primary: z.boolean().meta({ description: 'Whether the user owns the company' }),
  address,
  birthdate: z.string().nullable(),
  contacts: z.object({ email: z.string(), fax: z.string(), phones }),
  description: z.string(),
  emergency_contact_number: z.string(),
  primary_agent: z.string(),
  timezone: z.string(),
  title: z.string(),
  extension: z.object({ id: z.string(), number: z.int(), name: z.string(), description: z.string() }).nullable(),
  last_enter: time.nullable(),
  created: time,
  updated: time,
};

/** A user of a company. */
export const contact = z.object({ ...contactShape, invitation }).meta({ id: 'Contact' });
export type WireContact = Wire<typeof contact>;
export const contacts = z.array(contact);

/** The token is shown only once. */
export const invitedContact = z
  .object({ ...contactShape, invitation: invitation.extend({ token: z.string() }) })
  .meta({ id: 'InvitedContact' });

export const location = z
  .object({
    id: z.string(),
    company_id: z.string(),
    name: z.string(),
    address2: z.string(),
    building: z.object({ type: z.string(), value: z.string() }),
    callerid: z.string(),
    city: z.string(),
    country: z.string(),
    e911_provisioned: z.boolean(),
    email: z.string(),
    fax: z.string(),
    latitude: z.string(),
    longitude: z.string(),
    phone: z.string(),
    state: z.string(),
    street,
    user_id: z.string(),
    zip: z.string(),
    pbx_id: uuid.nullable().meta({ description: 'The instance at this location' }),
    created: time,
    updated: time,
  })
  .meta({ id: 'Location' });
export const locations = z.array(location);

export const instance = z
  .object({
    _id: z.string(),
    uuid,
    accountcode: z.string(),
    channel_driver: z.string(),
    company_id: z.string(),
    company_name: z.string(),
    external_domain: z.string(),
    fqdn: z.string(),
    hostname: z.string(),
    internal_domain: z.string(),
    ip: z.string(),
    proxy_ip: z.string(),
    location_id: z.string(),
  })
  .meta({ id: 'Instance' });
export const instances = z.array(instance);
export const instanceDetail = instance
  .extend({
    backend: z.enum(BACKENDS),
    role: z.enum(ROLES).meta({ description: 'Whether calls go through it, or it only knows who may register' }),
    supported_fields: z.array(z.string()).meta({ description: 'The fields of data that this PBX stores' }),
    fields: z.record(z.string(), z.enum(['carried', 'in part', 'stored only', 'refused'])).meta({
      description: 'What becomes of each field of data: on the PBX, in part, in the database only, or 400',
    }),
    click_to_call: z.boolean().meta({ description: 'Whether a click can begin a call' }),
    emergency_numbers: z.array(z.string()),
    arrangements: z.array(z.enum(ARRANGEMENT_KINDS)).meta({ description: 'What this PBX has beside extensions' }),
  })
  .meta({ id: 'InstanceDetail' });

const names = z.array(z.string());

/** How a PBX and the database differ, by extension number. */
export const driftReport = z
  .object({
    instance_uuid: uuid,
    at: time,
    is_complete: z.boolean(),
    detail: z.string(),
    alike: z.int(),
    missing: z.array(z.int()),
    changed: z.array(z.int()),
    unknown: z.array(z.int()),
    leftover: z.array(z.int()),
    repaired: z.array(z.int()),
    skipped: z
      .array(z.object({ number: z.int(), reason: z.string() }))
      .meta({ description: 'Extensions that were not compared, or differ and were not repaired' }),
    arrangements: z
      .object({
        missing: names,
        changed: names,
        unknown: names,
        leftover: names,
        repaired: names,
        adopted: names.meta({
          description: 'Forwards and PINs of mailboxes that were changed at the telephone: taken over',
        }),
      })
      .meta({ description: 'The same for ring groups, numbers and forwards, by name' }),
    stuck: z
      .array(z.object({ number: z.int(), detail: z.string() }))
      .meta({ description: 'Numbers whose last order failed and could not be undone, at the time of the response' }),
  })
  .meta({ id: 'DriftReport' });

export const auditLines = z.array(
  z
    .object({
      id: z.int(),
      contact_id: z.string().nullable(),
      address: z.string(),
      action: z.string(),
      object_type: z.string(),
      object_id: z.string(),
      detail: z.record(z.string(), z.unknown()),
      at: time,
    })
    .meta({ id: 'AuditLine' }),
);
