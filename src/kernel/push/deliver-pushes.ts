/**
 * Pushes to one device what waits for it: a notification for each conversation, and which of them are over. It may do so
 * twice, for example after a crash: services and devices show one of each conversation.
 */
import type { Kernel, Storage } from '../kernel';
import { dead, done, dropped, type Ending, postponed, retry } from '../mailbox/ending';
import type { Mail } from '../mailbox/mailbox';
import type { MailTurn } from '../mailbox/work';
import type { OpenPush } from './open-push';
import type { PushDevices, PushTarget } from './push-devices';
import { deviceGone, pushRefused } from './push-faults';
import { type PushMessage, type PushOutcome, sendPush } from './send-push';
import { isTest } from './take-up-pushes';

export interface Pushing extends Storage, Pick<Kernel, 'pause'> {
  readonly push: OpenPush;
}

/** A product's side of a turn. */
export interface Delivery<Owner> {
  readonly devices: PushDevices;
  /** Undefined if nobody may receive anything there any more. */
  readonly findOwner: (device: PushTarget) => Promise<Owner | undefined>;
  readonly takeUp: (owner: Owner) => Promise<readonly PushMessage[]>;
}

const GONE = 'The push service no longer knows the device';

export async function deliverToDevice<Owner>(
  parts: Pushing,
  turn: MailTurn,
  mails: readonly Mail<object>[],
  { devices, findOwner, takeUp }: Delivery<Owner>,
): Promise<readonly Ending[]> {
  const { mysql, push, secrets } = parts;
  const device = await devices.find(mysql, secrets, Number(turn.at));
  const owner = device && (await findOwner(device));
  if (!device || !owner) return mails.map(() => dropped('The device is gone, or its user', { fault: deviceGone() }));
  const waitMs = push.pauseMs - (device.idleMs ?? Infinity);
  // What comes meanwhile goes into the same pushes.
  if (waitMs > 0 && !mails.some(({ body }) => isTest(body))) return allEnd(mails, postponed(null, waitMs));
  const messages = await takeUp(owner);
  if (messages.length === 0) return allEnd(mails, dropped('The messages were read or deleted'));
  await turn.commit(({ db }) => devices.notePush(db, device.id));
  for (const message of messages) {
    await turn.ensureLease();
    const outcome = await sendPush(push, device, message, turn.signal);
    await parts.pause('mid-call');
    if (outcome.kind === 'gone') await turn.commit(({ db }) => devices.end(db, device.id));
    if (outcome.kind !== 'taken') return mails.map(({ body }) => endingOf(outcome, isTest(body)));
  }
  return allEnd(mails, done());
}

/** One ending, which is written at once for all. */
const allEnd = (mails: readonly unknown[], ending: Ending): Ending[] => mails.map(() => ending);

/** Somebody waits for the outcome of a test, so it is not tried again. */
function endingOf(outcome: Exclude<PushOutcome, { kind: 'taken' }>, isTried: boolean): Ending {
  if (outcome.kind === 'gone') return dropped(GONE, { fault: deviceGone() });
  const { reason } = outcome;
  if (outcome.kind === 'refused' || isTried) return dead(reason, { fault: pushRefused(reason) });
  return retry(reason, outcome.afterMs === undefined ? {} : { afterMs: outcome.afterMs });
}
