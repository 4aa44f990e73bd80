/** Compares a PBX with the database while no order runs, and repairs differences in extensions that are ours. */
import { done, type Ending } from '../../../kernel/mailbox/ending';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Extension } from '../../model/extensions/extension';
import type { OperationState } from '../../model/extensions/operation';
import { unseal } from '../../model/extensions/sealing';
import type { ArrangementDrift, Drift, DriftReport, Skipped } from '../../model/sites/drift';
import { emergencyNumbers } from '../../model/sites/site';
import * as extensions from '../../store/extensions/extensions';
import { settleStuck } from '../../store/extensions/operation-endings';
import { ownAmong, unsettledNumbers } from '../../store/extensions/operation-queries';

import * as drift from '../../store/sites/drift';
import { instanceByUuid } from '../../store/sites/sites';
import { adoptPins } from '../pbx-arrangements/adopt-pins';
import { compareArrangements } from '../pbx-arrangements/compare-arrangements';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { ensureGone, ensurePbxHas, isSame, NotHeld, pushed } from './drivers';
import { reloadOnce } from './reload';
import { resourcesFor, type PbxParts, type TurnResources } from './turn-resources';

const KEY = 'reconcile';
/** Orders wait during the repair, so the rest is left to the next comparison. */
const MAX_REPAIRS = 200;
const NOTHING: Drift = { missing: [], changed: [], unknown: [], leftover: [], alike: 0 };

const NO_INSTANCE: DriftReport = {
  ...NOTHING,
  repaired: [],
  skipped: [],
  isComplete: false,
  detail: 'There is no such instance',
};

/** A request gets the report of a comparison that began after it. */
export async function compareWithDatabase(
  parts: PbxParts,
  turn: MailTurn,
  { createdAt }: Pick<Mail<unknown>, 'createdAt'>,
): Promise<Ending> {
  const { mysql, log } = turn.kernel;
  const [instance, last, begunAt] = await Promise.all([
    instanceByUuid(mysql, turn.at),
    drift.byInstance(mysql, turn.at),
    drift.now(mysql),
  ]);
  if (!instance) return done({ answer: NO_INSTANCE });
  if (last && last.begunAt > createdAt) return done({ answer: last.report });
  const { report, settled } = await examine(resourcesFor(parts, turn, instance));
  const { missing, changed, unknown, leftover } = report;
  if (missing.length + changed.length + unknown.length + leftover.length > 0 || !report.isComplete) {
    log.warn({ instance: instance.uuid, ...report }, 'a PBX differs from the database');
  }
  return done({
    answer: report,
    async write({ db }) {
      await drift.save(db, instance.uuid, report, begunAt);
      const of = { instance: instance.uuid, object: 'extension' } as const;
      if (settled) await settleStuck(db, of, settled.different);
    },
  });
}

interface Examined {
  readonly report: DriftReport;
  /** Missing if the PBX could not be read or repaired. */
  readonly settled?: { readonly different: readonly number[] };
}

async function examine(resources: TurnResources): Promise<Examined> {
  const { mysql, secrets } = resources.turn.kernel;
  const { uuid } = resources.instance;
  const repairs: Repairs = { repaired: [], notHeld: [], skipped: [] };
  const { repaired, skipped } = repairs;
  let found = NOTHING;
  try {
    const rows = await extensions.ofInstance(mysql, uuid);
    const known = rows.map(({ number }) => number);
    const held = await resources.driver.list({ key: KEY, deadlineMs: resources.settings.pbxCallMs * 2 }, known);
    const wanted = rows.filter(({ isVisible }) => isVisible).map((row) => unseal(secrets, row));
    const reserved = new Set(rows.filter(({ isVisible }) => !isVisible).map(({ number }) => number));
    const open = await unsettledNumbers(mysql, { instance: uuid, object: 'extension' });
    skipped.push(...[...open].map(([number, state]) => ({ number, reason: whyNotCompared(state) })));
    found = await differences(resources, { held, wanted, reserved, open });
    await repair(resources, found, wanted, repairs);
    const others = await compareArrangements(resources, rows);
    const pins = await adoptPins(resources, { held, wanted: wanted.filter(({ number }) => !open.has(number)) });
    await keepEmergency(resources);
    await resources.breaker.note(undefined);
    const arrangements = others ? { arrangements: { ...others, adopted: [...others.adopted, ...pins] } } : {};
    return {
      report: { ...found, ...arrangements, repaired, skipped: byNumber(skipped), ...ending(found, repairs, others) },
      settled: { different: [...open.keys(), ...unrepaired(found, repaired)] },
    };
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    await resources.breaker.note(error);
    const detail = error.message;
    return { report: { ...found, repaired, skipped: byNumber(skipped), isComplete: false, detail } };
  }
}

/** A list that nobody has given is left to the dial plan. */
async function keepEmergency({ driver, instance, settings }: TurnResources): Promise<void> {
  if (instance.details['emergency'] === undefined) return;
  await driver.keepEmergency?.(emergencyNumbers(instance), { key: KEY, deadlineMs: settings.pbxCallMs });
}

const byNumber = (skipped: readonly Skipped[]): Skipped[] =>
  skipped.toSorted((one, other) => one.number - other.number);

const whyNotCompared = (state: OperationState): string =>
  state === 'undoing' ? 'an order is being undone' : 'an order is under way';

const unrepaired = ({ missing, changed, leftover }: Drift, repaired: readonly number[]): number[] =>
  [...missing, ...changed, ...leftover].filter((number) => !repaired.includes(number));

function ending(
  found: Drift,
  { repaired, notHeld, skipped }: Repairs,
  others?: ArrangementDrift,
): Pick<DriftReport, 'isComplete' | 'detail'> {
  if (notHeld.length > 0) {
    const numbers = notHeld.join(', ');
    return { isComplete: false, detail: `The PBX said that it was done, but does not hold it: ${numbers}` };
  }
  if (skipped.length > 0) return { isComplete: false, detail: saySkipped(skipped) };
  const isComplete = unrepaired(found, repaired).length === 0 && areMended(others);
  return { isComplete, detail: isComplete ? '' : 'The rest is mended the next time' };
}

const areMended = (others: ArrangementDrift | undefined): boolean =>
  !others || [...others.missing, ...others.changed, ...others.leftover].every((name) => others.repaired.includes(name));

/** The report lists all. */
const MAX_NAMED = 3;

function saySkipped(skipped: readonly Skipped[]): string {
  const named = skipped.slice(0, MAX_NAMED).map(({ number, reason }) => `${number} (${reason})`);
  const more = skipped.length > MAX_NAMED ? ` and ${skipped.length - MAX_NAMED} more` : '';
  return `Left as they are: ${named.join(', ')}${more}`;
}

interface Looked {
  readonly held: readonly Held[];
  readonly wanted: readonly Extension[];
  readonly reserved: ReadonlySet<number>;
  readonly open: ReadonlyMap<number, OperationState>;
}

async function differences(resources: TurnResources, { held, wanted, reserved, open }: Looked): Promise<Drift> {
  const { mysql } = resources.turn.kernel;
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

interface Repairs {
  readonly repaired: number[];
  /** What the PBX claimed to have repaired but did not. */
  readonly notHeld: number[];
  /** What it refused, or what would have cost messages that nobody has given up. */
  readonly skipped: Skipped[];
}

async function repair(
  resources: TurnResources,
  found: Drift,
  wanted: readonly Extension[],
  repairs: Repairs,
): Promise<void> {
  const wantedAt = new Map(wanted.map((each) => [each.number, each]));
  const willChange = reloadOnce(resources);
  const context = { key: KEY, deadlineMs: resources.settings.pbxCallMs, isRepair: true, willChange };
  for (const number of unrepaired(found, []).slice(0, MAX_REPAIRS)) {
    if (resources.turn.isOver()) break;
    await resources.turn.ensureLease();
    const extension = wantedAt.get(number);
    try {
      await mend(resources.driver, number, extension && pushed(extension, KEY), context);
      repairs.repaired.push(number);
    } catch (error) {
      if (error instanceof NotHeld) repairs.notHeld.push(number);
      else if (error instanceof PbxError && error.trouble === 'refused') {
        repairs.skipped.push({ number, reason: error.message });
      } else throw error;
    }
  }
}

/** Pushes the wanted extension, or deletes it if none is wanted, then reads it back. */
async function mend(driver: PbxDriver, number: number, wanted: Held | undefined, context: CallContext): Promise<void> {
  if (wanted) {
    await driver.update(wanted, context);
    await ensurePbxHas(driver, wanted, context);
  } else {
    await driver.delete(number, context);
    await ensureGone(driver, number, context);
  }
}
