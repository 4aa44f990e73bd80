/** Takes down what a carrier tells us, so that it is safe when the carrier hears that we have it. */
import { hash } from 'node:crypto';
import { carrierNamed } from '../../carriers/carriers';
import { noCarrierAccount, notGenuine } from '../../model/faults';
import type { Telephony } from '../../parts';
import { findCarrierAccount } from '../../queries/texting/find-carrier-account';
import type { CallAbout } from '../../store/texting/carrier-calls';

export interface Call {
  readonly about: CallAbout;
  readonly carrier: string;
  readonly token: string;
  /** The address it comes from. */
  readonly from: string;
  /** As the carrier wrote it. */
  readonly url: string;
  readonly body: string;
  readonly header: (name: string) => string;
}

export async function receiveCarrierCall(telephony: Telephony, call: Call): Promise<void> {
  const account = await findCarrierAccount(telephony, call);
  // Not by ensure: a burst would make two faults for every call, to throw none of them.
  if (account?.carrier !== call.carrier) throw noCarrierAccount();
  const carrier = carrierNamed(account.carrier);
  if (!carrier.isGenuine(account, call, telephony.kernel.clock.now())) throw notGenuine(account.carrier);
  const { about, url, body } = call;
  await telephony.callWriter.write({
    accountId: account.id,
    about,
    dedupeKey: dedupeKeyOf(call, carrier.eventId(call)),
    url,
    body,
  });
  // Should Redis be away, the sweep finds the row.
  telephony.callWakes.wake({ id: account.id });
}

/** Calls of different kinds are never the same. */
export function dedupeKeyOf({ about, body }: Pick<Call, 'about' | 'body'>, eventId: string | undefined): string {
  const name = eventId === undefined ? `body ${body}` : `event ${eventId}`;
  return hash('sha256', `${about} ${name}`);
}
