/**
 * Compares ring groups, numbers from outside and forwards of a PBX with the database while no order runs. Differences in
 * what orders alone change are repaired; forwards are adopted, as people change them at the telephone.
 */
import { nameOf, type Arrangement, type MadeKind } from '../../model/arrangements/arrangement';
import type { ArrangementDrift } from '../../model/sites/drift';
import * as arrangements from '../../store/arrangements/arrangements';
import type { SealedExtension } from '../../store/extensions/extensions';
import { settleStuck } from '../../store/extensions/operation-endings';
import { ownAmong, unsettledNumbers } from '../../store/extensions/operation-queries';
import { adoptForwards } from './adopt-forwards';
import { ensureArranged, ensureRemoved, isHeld, type HeldArrangement, type PbxArrangements } from './arrangements';
import { PbxError, type CallContext } from '../pbx-instance/driver';
import { NotHeld } from '../pbx-instance/drivers';
import { reloadOnce } from '../pbx-instance/reload';
import type { TurnResources } from '../pbx-instance/turn-resources';

const KEY = 'reconcile';
/** Orders wait during the repair, so the rest is left to the next comparison. */
const MAX_REPAIRS = 200;

interface Found {
  readonly kind: MadeKind;
  readonly number: number;
  readonly as: 'missing' | 'changed' | 'unknown' | 'leftover';
  readonly wanted?: Arrangement<MadeKind>;
}

/** Undefined for a PBX that has nothing of the kind. */
export async function compareArrangements(
  resources: TurnResources,
  extensions: readonly SealedExtension[],
): Promise<ArrangementDrift | undefined> {
  const { driver, turn, instance, settings } = resources;
  if (!driver.arrangements && !driver.forwards) return undefined;
  await turn.commit(({ db }) => arrangements.releaseForgotten(db, instance.uuid));
  const rows = await arrangements.ofInstance(turn.kernel.mysql, instance.uuid);
  const context = { key: KEY, deadlineMs: settings.pbxCallMs * 2 };
  const found = driver.arrangements ? await differences(resources, driver.arrangements, { rows, context }) : [];
  const repaired = driver.arrangements ? await repair(resources, driver.arrangements, found) : [];
  const adopted = await adoptForwards(resources, { extensions, rows, context });
  const named = (as: Found['as']) => found.filter((each) => each.as === as).map(nameIn);
  return {
    missing: named('missing'),
    changed: named('changed'),
    unknown: named('unknown'),
    leftover: named('leftover'),
    repaired: repaired.map(nameIn),
    adopted: adopted.map((number) => nameOf('forwards', number)),
  };
}

const nameIn = ({ kind, number }: Pick<Found, 'kind' | 'number'>): string => nameOf(kind, number);

async function differences(
  { turn, instance }: TurnResources,
  at: PbxArrangements,
  { rows, context }: { readonly rows: readonly Arrangement[]; readonly context: CallContext },
): Promise<Found[]> {
  const { mysql } = turn.kernel;
  const made = rows.filter((row): row is Arrangement<MadeKind> => row.kind !== 'forwards');
  const held = await at.list(context, made);
  const open = new Map(
    await Promise.all(
      (['ring-group', 'number'] as const).map(
        async (kind) => [kind, await unsettledNumbers(mysql, { instance: instance.uuid, object: kind })] as const,
      ),
    ),
  );
  const isSettled = ({ kind, number }: Pick<Found, 'kind' | 'number'>) => !open.get(kind)!.has(number);
  const same = (one: Pick<Found, 'kind' | 'number'>, other: Pick<Found, 'kind' | 'number'>) =>
    one.kind === other.kind && one.number === other.number;
  const differing = made
    .filter((row) => row.isVisible && isSettled(row))
    .flatMap((wanted): Found[] => {
      const there = held.find((each) => same(each, wanted));
      if (isHeld(at, there, { ...wanted, operation: KEY })) return [];
      return [{ ...wanted, as: there ? 'changed' : 'missing', wanted }];
    });
  const strangers = held.filter((each) => isSettled(each) && !made.some((row) => same(row, each)));
  const own = await ownAmong(mysql, instance.uuid, strangers.flatMap(writerOf));
  const isOwn = (each: HeldArrangement): boolean => writerOf(each).some((id) => own.has(id));
  return [...differing, ...strangers.map((each): Found => ({ ...each, as: isOwn(each) ? 'leftover' : 'unknown' }))];
}

const writerOf = ({ operation }: HeldArrangement): string[] => (operation === undefined ? [] : [operation]);

async function repair(resources: TurnResources, at: PbxArrangements, found: readonly Found[]): Promise<Found[]> {
  const { turn, settings, instance } = resources;
  const context = { key: KEY, deadlineMs: settings.pbxCallMs, willChange: reloadOnce(resources) };
  const repaired: Found[] = [];
  const wrong = found.filter(({ as }) => as !== 'unknown');
  for (const each of wrong.slice(0, MAX_REPAIRS)) {
    if (turn.isOver()) break;
    await turn.ensureLease();
    try {
      await mend(at, each, context);
      repaired.push(each);
    } catch (error) {
      const isOne = error instanceof NotHeld || (error instanceof PbxError && error.trouble === 'refused');
      if (!isOne) throw error;
    }
  }
  for (const object of ['ring-group', 'number'] as const) {
    const left = wrong.filter((each) => each.kind === object && !repaired.includes(each));
    const open = await unsettledNumbers(turn.kernel.mysql, { instance: instance.uuid, object });
    const different = [...left.map(({ number }) => number), ...open.keys()];
    await turn.commit(({ db }) => settleStuck(db, { instance: instance.uuid, object }, different));
  }
  return repaired;
}

async function mend(at: PbxArrangements, { kind, number, wanted }: Found, context: CallContext): Promise<void> {
  if (wanted) {
    const pushed = { ...wanted, operation: KEY };
    await at.put(pushed, context);
    await ensureArranged(at, pushed, context);
  } else {
    await at.remove(kind, number, context);
    await ensureRemoved(at, { kind, number }, context);
  }
}
