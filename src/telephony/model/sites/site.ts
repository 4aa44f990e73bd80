/** A location and its PBX instance. */
import type { CompanyId } from '../companies/company';
import type { Backend } from './backends';

export const noLocationDetails = {
  address2: '',
  building: { type: '', value: '' },
  callerid: '',
  city: '',
  country: '',
  e911_provisioned: false,
  email: '',
  fax: '',
  latitude: '',
  longitude: '',
  phone: '',
  state: '',
  street: { name: '', number: 0, type: '' },
  user_id: '',
  zip: '',
};

export type LocationDetails = Readonly<typeof noLocationDetails>;

export interface Location {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly details: LocationDetails;
  /** The instance at this location, if there is one. */
  readonly pbx: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Instance {
  readonly uuid: string;
  readonly id: string;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly locationId: string;
  readonly backend: Backend;
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
}

/** A company's part of an Asterisk that several share. */
export interface Space {
  /** What the dial plan keys its settings by. */
  readonly code: string;
  /** Undefined: the only one without, whose extensions are named by their numbers alone. */
  readonly domain: string | undefined;
}

/** Of an instance without a domain. */
const MAIN = 'main';

/** The domain is given once: extensions are named by it. */
export function spaceOf({ uuid, details }: Pick<Instance, 'uuid' | 'details'>): Space {
  const { domain } = details;
  return domain === undefined ? { code: MAIN, domain } : { code: uuid.slice(0, 8), domain };
}

/** What follows the number in the names of extensions. */
export const suffixOf = ({ domain }: Pick<Space, 'domain'>): string => (domain === undefined ? '' : `@${domain}`);

/** The number in the name of an extension; undefined for a trunk, and for extensions of others. */
export function numberIn(name: string, suffix: string): number | undefined {
  const number = name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : '';
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined;
}

/** As they are if nobody has said otherwise: in the dial plan too. */
const USUAL_EMERGENCY = ['112', '911', '110'];

export const EMERGENCY_LIST = /^\d{2,15}(,\d{2,15})*$/;

export const emergencyNumbers = ({ details }: Pick<Instance, 'details'>): readonly string[] =>
  details['emergency']?.split(',') ?? USUAL_EMERGENCY;

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
