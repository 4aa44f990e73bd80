/** A company's account with a carrier of texts: how we speak to it, and where it calls us. */
import type { CompanyId } from '../companies/company';
import type { CarrierAccountId } from './texting';

export const CARRIERS = ['simulated', 'telnyx', 'twilio', 'bandwidth'] as const;
export type CarrierName = (typeof CARRIERS)[number];

export const isCarrier = (name: string): name is CarrierName => CARRIERS.includes(name as CarrierName);

/** What a carrier is spoken to with; each knows its own fields. */
export type Credentials = Readonly<Record<string, string>>;

export interface CarrierAccount {
  readonly id: CarrierAccountId;
  readonly companyId: CompanyId;
  readonly carrier: CarrierName;
  /** Where its API answers, without a slash at the end. */
  readonly apiUrl: string;
  /** The part of its webhook's address that nobody else knows. */
  readonly token: string;
  readonly credentials: Credentials;
}

export const TOKEN_LENGTH = 40;

/** The address to give to the carrier. */
export const webhookPath = (what: 'texting' | 'fax', { carrier, token }: Pick<CarrierAccount, 'carrier' | 'token'>) =>
  `/webhooks/${what}/${carrier}/${encodeURIComponent(token)}`;
