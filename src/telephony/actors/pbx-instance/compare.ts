/** Compares a PBX with the database while no order runs, and repairs differences in extensions that are ours. */
import type { Extension } from '../../model/extensions/extension';
import { unseal } from '../../model/extensions/sealing';
import type { Drift, DriftReport } from '../../model/sites/drift';
import * as extensions from '../../store/extensions/extensions';
import { ownAmong, unsettledNumbers } from '../../store/extensions/open-operations';
import * as drift from '../../store/sites/drift';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { isSame, pushed } from './drivers';
import { ensureGone, ensureHeld, NotHeld } from './read-back';
import { wantReload } from './reload';
import type { TurnResources } from './turn-resources';

const KEY = 'reconcile';
/** Orders wait during the repair, so the rest is left to the next comparison. */
const MOST_REPAIRS = 200;
const NOTHING: Drift = { missing: [], changed: [], unknown: [], leftover: [], alike: 0 };

export const NO_INSTANCE: DriftReport = {
  ...NOTHING,
  repaired: [],
  isComplete: false,
  detail: 'There is no such instance',
};

export async function compare(resources: TurnResources): Promise<DriftReport> {
  const { turn, instance } = resources;
  const report = await examine(resources);
  await turn.commit(({ db }) => drift.save(db, instance.uuid, report));
  const { missing, changed, unknown, leftover } = report;
  if (missing.length + changed.length + unknown.length + leftover.length > 0 || !report.isComplete) {
    turn.kernel.log.warn({ instance: instance.uuid, ...report }, 'a PBX and the database differ');
  }
  return report;
}

async function examine(resources: TurnResources): Promise<DriftReport> {
  const repaired: number[] = [];
  let found = NOTHING;
  try {
    const rows = await extensions.ofInstance(resources.turn.kernel.mysql, resources.instance.uuid);
    const known = rows.map(({ number }) => number);
    const held = await resources.driver.list({ key: KEY, deadlineMs: resources.settings.pbxCallMs * 2 }, known);
    const wanted = rows.filter(({ isVisible }) => isVisible).map((row) => unseal(resources.turn.kernel.secrets, row));
    const reserved = new Set(rows.filter(({ isVisible }) => !isVisible).map(({ number }) => number));
    found = await differences(resources, { held, wanted, reserved });
    const notHeld = await repair(resources, found, { wanted, repaired });
    await resources.breaker.note(undefined);
    const isComplete = repaired.length === found.missing.length + found.changed.length + found.leftover.length;
    const rest =
      notHeld.length > 0
        ? `The PBX said that it was done, but does not hold it: ${notHeld.join(', ')}`
        : 'The rest is mended the next time';
    return { ...found, repaired, isComplete, detail: isComplete ? '' : rest };
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    await resources.breaker.note(error);
    return { ...found, repaired, isComplete: false, detail: error.message };
  }
}

async function differences(
  resources: TurnResources,
  { held, wanted, reserved }: { held: Held[]; wanted: Extension[]; reserved: Set<number> },
): Promise<Drift> {
  const { mysql } = resources.turn.kernel;
  const open = await unsettledNumbers(mysql, resources.instance.uuid);
  const there = new Map(held.map((each) => [each.number, each]));
  const known = new Set(wanted.map(({ number }) => number));
  const settled = wanted.filter(({ number }) => !open.has(number));
  const [missing, changed]: [number[], number[]] = [[], []];
  for (const extension of settled) {
    const each = there.get(extension.number);
    if (!each) missing.push(extension.number);
    else if (!isSame(resources.driver, each, pushed(extension, KEY))) changed.push(extension.number);
  }
  const strangers = held.filter(({ number }) => !known.has(number) && !reserved.has(number) && !open.has(number));
  const writers = strangers.flatMap(({ operation }) => (typeof operation === 'string' ? [operation] : []));
  const own = await ownAmong(mysql, resources.instance.uuid, writers);
  const isOwn = ({ operation }: Held) => typeof operation === 'string' && own.has(operation);
  return {
    missing,
    changed,
    unknown: strangers.filter((each) => !isOwn(each)).map(({ number }) => number),
    leftover: strangers.filter(isOwn).map(({ number }) => number),
    alike: settled.length - missing.length - changed.length,
  };
}

/** Returns the numbers that the PBX claimed to have repaired but did not. */
async function repair(
  resources: TurnResources,
  found: Drift,
  { wanted, repaired }: { wanted: Extension[]; repaired: number[] },
): Promise<number[]> {
  const notHeld: number[] = [];
  const byNumber = new Map(wanted.map((each) => [each.number, each]));
  const context = { key: KEY, deadlineMs: resources.settings.pbxCallMs };
  const work = [...found.missing, ...found.changed, ...found.leftover].slice(0, MOST_REPAIRS);
  if (work.length > 0) await wantReload(resources, resources.turn.kernel.mysql);
  for (const number of work) {
    if (resources.turn.isOver()) break;
    await resources.turn.ensureHeld();
    const extension = byNumber.get(number);
    const isMended = await mend(resources.driver, number, extension && pushed(extension, KEY), context);
    (isMended ? repaired : notHeld).push(number);
  }
  return notHeld;
}

/** Pushes the wanted extension, or deletes it if none is wanted, then reads it back. */
async function mend(
  driver: PbxDriver,
  number: number,
  wanted: Held | undefined,
  context: CallContext,
): Promise<boolean> {
  try {
    if (wanted) {
      await driver.update(wanted, context);
      await ensureHeld(driver, wanted, context);
    } else {
      await driver.delete(number, context);
      await ensureGone(driver, number, context);
    }
    return true;
  } catch (error) {
    if (error instanceof NotHeld) return false;
    throw error;
  }
}
