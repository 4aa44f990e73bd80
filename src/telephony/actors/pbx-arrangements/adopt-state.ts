/** Somebody has used a feature code, or their mailbox: looks at that extension alone, and takes over what has changed. */
import { done, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import { NO_FORWARDS, sameForwards } from '../../model/arrangements/arrangement';
import { unseal } from '../../model/extensions/sealing';
import * as arrangements from '../../store/arrangements/arrangements';
import * as extensions from '../../store/extensions/extensions';
import { unsettledNumbers } from '../../store/extensions/operation-queries';
import { instanceByUuid } from '../../store/sites/sites';
import type { CallContext } from '../pbx-instance/driver';
import { pushed } from '../pbx-instance/drivers';
import { resourcesFor, type PbxParts, type TurnResources } from '../pbx-instance/turn-resources';
import { isNewPin, keepPin } from './adopt-pins';
import { keepForwards } from './arrangement-plans';

/** As a comparison restores it. */
const KEY = 'reconcile';

type Write = (tx: Tx) => Promise<void>;

/** Orders for it come before or after, never between. */
export async function adoptState(parts: PbxParts, turn: MailTurn, number: number): Promise<Ending> {
  const { mysql } = turn.kernel;
  const [instance, extension] = await Promise.all([
    instanceByUuid(mysql, turn.at),
    extensions.byNumber(mysql, turn.at, number),
  ]);
  if (!instance || !extension?.isVisible) return done();
  const resources = resourcesFor(parts, turn, instance);
  const context = { key: 'state', deadlineMs: parts.settings.pbxCallMs };
  const writes = [await newForwards(resources, extension, context), await newPin(resources, extension, context)];
  return done({
    async write(tx) {
      for (const write of writes) await write?.(tx);
    },
  });
}

async function newForwards(
  { driver, turn }: TurnResources,
  extension: extensions.SealedExtension,
  context: CallContext,
): Promise<Write | undefined> {
  const { mysql, clock } = turn.kernel;
  const { number } = extension;
  const open = await unsettledNumbers(mysql, { instance: turn.at, object: 'forwards' });
  if (!driver.forwards || open.has(number)) return undefined;
  const row = await arrangements.byNumber(mysql, { instance: turn.at, kind: 'forwards', number });
  const data = await driver.forwards.get(number, context);
  if (sameForwards(row?.data ?? NO_FORWARDS, data)) return undefined;
  return (tx) => keepForwards(tx, { extension, data, source: 'pbx' }, clock.now());
}

async function newPin(
  { driver, turn, settings }: TurnResources,
  sealed: extensions.SealedExtension,
  context: CallContext,
): Promise<Write | undefined> {
  const { mysql, secrets } = turn.kernel;
  const open = await unsettledNumbers(mysql, { instance: turn.at, object: 'extension' });
  if (open.has(sealed.number)) return undefined;
  const extension = unseal(secrets, sealed);
  const pin = (await driver.get(sealed.number, context))?.pin;
  if (!isNewPin(extension, pin)) return undefined;
  await turn.ensureLease();
  // The file has the former PIN too, which would count again.
  const again = { key: KEY, deadlineMs: settings.pbxCallMs, isRepair: true };
  await driver.update(pushed(extension, KEY), again);
  return ({ db }) => keepPin(db, secrets, extension, pin);
}
