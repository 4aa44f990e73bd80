/** A company's account with a carrier: how to call the carrier, and the webhook for its calls. */
import type { CompanyId } from '../companies/company';
import type { CarrierAccountId } from './texting';

export const CARRIERS = ['simulated', 'telnyx', 'twilio', 'bandwidth'] as const;
export type CarrierName = (typeof CARRIERS)[number];

/** The fields depend on the carrier. */
export type Credentials = Readonly<Record<string, string>>;

export interface CarrierAccount {
  readonly id: CarrierAccountId;
  readonly companyId: CompanyId;
  readonly carrier: CarrierName;
  /** The base URL of its API, without a trailing slash. */
  readonly apiUrl: string;
  /** The secret part of the webhook URL. */
  readonly token: string;
  readonly credentials: Credentials;
}

export const TOKEN_LENGTH = 40;

/** The webhook path to configure at the carrier. */
export const webhookPath = (what: 'texting' | 'fax', { carrier, token }: Pick<CarrierAccount, 'carrier' | 'token'>) =>
  `/webhooks/${what}/${carrier}/${encodeURIComponent(token)}`;
