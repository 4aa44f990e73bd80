/** Stores a carrier's call before it is acknowledged, so that nothing is lost. */
import { hash } from 'node:crypto';
import type { Kernel } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { carrierCalls } from '../../actors/mailboxes';
import { carrierNamed } from '../../carriers/carriers';
import { companyTenant } from '../../model/companies/company';
import { noCarrierAccount, notGenuine } from '../../model/faults';
import type { CarrierCalls } from '../../parts';
import { findCarrierAccount } from '../../queries/texting/carriers';
import type { CallAbout } from '../../store/texting/carrier-calls';

export interface Call {
  readonly about: CallAbout;
  readonly carrier: string;
  readonly token: string;
  /** The client's IP address. */
  readonly from: string;
  /** The URL as the carrier called it. */
  readonly url: string;
  readonly body: string;
  readonly header: (name: string) => string;
}

export async function receiveCarrierCall(telephony: CarrierCalls & Pick<Kernel, 'jobs'>, call: Call): Promise<void> {
  const account = await findCarrierAccount(telephony, call);
  // Not `ensure`: in a burst it would construct two faults per call and throw none.
  if (account?.carrier !== call.carrier) throw noCarrierAccount();
  const carrier = carrierNamed(account.carrier);
  if (!carrier.isGenuine(account, call, telephony.clock.now())) throw notGenuine(account.carrier);
  const { about, url, body } = call;
  await telephony.callWriter.write({
    accountId: account.id,
    about,
    dedupeKey: dedupeKeyOf(call, carrier.eventId(call)),
    url,
    body,
  });
  // If Redis is unreachable, the sweep finds the row.
  carrierCalls.at(companyTenant(account.companyId), account.id).send(telephony.jobs, WRITTEN);
}

/** The dedupe key of a call. Calls of different kinds never share one. */
export function dedupeKeyOf({ about, body }: Pick<Call, 'about' | 'body'>, eventId: string | undefined): string {
  const name = eventId === undefined ? `body ${body}` : `event ${eventId}`;
  return hash('sha256', `${about} ${name}`);
}
