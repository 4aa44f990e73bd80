/** Takes down what a carrier tells us, so that it is safe when the carrier hears that we have it. */
import { hash } from 'node:crypto';
import { sleep } from '../../kernel/deadline';
import type { Kernel } from '../../kernel/kernel';
import { openGathering } from '../../kernel/mysql/gathering';
import { perKernel } from '../../kernel/per-kernel';
import { carrierNamed } from '../carriers/carriers';
import { readCarrierCalls } from '../jobs';
import { noCarrierAccount, notGenuine } from '../model/faults';
import type { CarrierAccountId } from '../model/texting';
import { findCarrierAccount } from '../queries/find-carrier-account';
import * as calls from '../store/carrier-calls';

export interface Call {
  readonly about: calls.CallAbout;
  readonly carrier: string;
  readonly token: string;
  /** The address it comes from. */
  readonly from: string;
  /** As the carrier wrote it. */
  readonly url: string;
  readonly body: string;
  readonly header: (name: string) => string;
}

const writer = perKernel((kernel) =>
  openGathering<calls.NewCall>({
    write: (rows) => calls.insert(kernel.mysql, rows),
    weigh: ({ body }) => Buffer.byteLength(body),
  }),
);

export async function receiveCarrierCall(kernel: Kernel, call: Call): Promise<void> {
  const account = await findCarrierAccount(kernel, call);
  // Not by ensure: a burst would make two faults for every call, to throw none of them.
  if (account?.carrier !== call.carrier) throw noCarrierAccount();
  const carrier = carrierNamed(account.carrier);
  if (!carrier.isGenuine(account, call, kernel.clock.now())) throw notGenuine(account.carrier);
  const { about, url, body } = call;
  await writer(kernel).write({
    accountId: account.id,
    about,
    sameness: samenessOf(call, carrier.eventId(call)),
    url,
    body,
  });
  nudgeCalls(kernel, account.id);
}

/** Calls of different kinds are never the same. */
export function samenessOf({ about, body }: Pick<Call, 'about' | 'body'>, eventId: string | undefined): string {
  const name = eventId === undefined ? `body ${body}` : `event ${eventId}`;
  return hash('sha256', `${about} ${name}`);
}

/** A nudge costs as much as ten calls, and a reader at work finds what comes: the longer a burst, the fewer it takes. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 100;

/** Accounts whose reader is being nudged, and whether more has come since. */
const nudging = perKernel(() => new Map<CarrierAccountId, { isMore: boolean }>());

/** The carrier does not wait for it, and a burst shares nudges. Should Redis be away, the sweep finds the row. */
export function nudgeCalls(kernel: Kernel, accountId: CarrierAccountId): void {
  const running = nudging(kernel).get(accountId);
  if (running) running.isMore = true;
  else void keepNudging(kernel, accountId);
}

async function keepNudging(kernel: Kernel, accountId: CarrierAccountId): Promise<void> {
  const state = { isMore: true };
  nudging(kernel).set(accountId, state);
  try {
    for (let pauseMs = FIRST_PAUSE_MS; state.isMore; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      state.isMore = false;
      await kernel.jobs.nudge(readCarrierCalls, `account-${accountId}`, { accountId });
      await sleep(pauseMs, kernel.lifecycle.draining);
    }
  } catch (error) {
    kernel.log.debug({ error }, 'could not nudge the reader of calls');
  } finally {
    nudging(kernel).delete(accountId);
  }
}
