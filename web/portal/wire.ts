/** Types of the API, with only the fields that the portal uses. */

export interface Contact {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly work_email: string;
  readonly title: string;
  readonly timezone: string;
  readonly emergency_contact_number: string;
  readonly activated: boolean;
  readonly is_primary: boolean;
  readonly contacts: { readonly phones: { readonly mobile: string; readonly work: string } };
  readonly invitation: { readonly status: 'accepted' | 'expired' | 'pending'; readonly token?: string };
  readonly extension: { readonly number: number } | null;
  readonly last_enter: string | null;
}

export interface Address {
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly street: { readonly name: string; readonly number: number };
}

export interface Company {
  readonly name: string;
  readonly email: string;
  readonly billing_email: string;
  readonly phone: string;
  readonly fax: string;
  readonly website: string;
  readonly description: string;
  readonly emergency_contact_number: string;
  readonly address: Address;
}

export interface Location {
  readonly id: string;
  readonly name: string;
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
  readonly phone: string;
  readonly email: string;
  readonly callerid: string;
  readonly pbx_id: string | null;
}

export interface Instance {
  readonly uuid: string;
  readonly fqdn: string;
  readonly location_id: string;
}

export interface Extension {
  readonly _id: string;
  readonly data: {
    readonly id: number;
    readonly name: string;
    readonly description: string;
    readonly secret: string;
    readonly outboundcid: string;
    readonly voicemail: string;
  };
  readonly location_id: string;
  readonly pbx: string;
  readonly purpose: 'ip-phone' | 'mobile-app';
  readonly user: Contact | null;
  readonly subscriber: { readonly state: 'AUTHENTICATED' | 'UNAUTHENTICATED' | 'UNKNOWN' };
  readonly phone: readonly {
    readonly data: { readonly reg: readonly { readonly server: readonly { readonly address: string }[] }[] };
  }[];
  readonly warnings: readonly string[];
}

export const nameOf = ({ first_name, last_name }: Pick<Contact, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim();
