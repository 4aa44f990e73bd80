/** PbxInstance: one order at a time per PBX, in order of arrival, on whichever worker holds the lease. */
import type { Address } from '../../../kernel/actor/address';
import { Busy, leaseLeftMs } from '../../../kernel/actor/lease';
import { leaseMark, type LeaseMark } from '../../../kernel/actor/lease-mark';
import { takeLeased, type TurnContext } from '../../../kernel/actor/leased-turn';
import { newId } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import type { Rows } from '../../../kernel/mysql/direct';
import type { Replies } from '../../../kernel/replies';
import { provision, type ProvisionOrder } from '../../jobs';
import { companyTenant } from '../../model/companies/company';
import type { Answered, Operation, ProvisioningSettings } from '../../model/extensions/operation';
import { findWork, workOf, workOn } from '../../store/extensions/due-operations';
import { isOpen } from '../../store/extensions/open-operations';
import { openBreaker, type Bench } from './bench';
import { settleOne } from './carry-out';
import type { PbxDrivers } from './drivers';
import { tell } from './finish';
import { lookAfterReload } from './reload';

/** The lease may have become free since it was found taken. */
const LEAST_WAIT_MS = 100;

export const pbxAddress = ({ companyId, instance }: Pick<ProvisionOrder, 'companyId' | 'instance'>): Address => ({
  tenant: companyTenant(companyId),
  kind: 'pbx',
  id: instance,
});

/** A job of this process that is at an instance: others leave their orders to it. */
export interface InstanceHolder {
  /** Something has come since it last looked. */
  isWanted: boolean;
  /** The newest order that was left to it. */
  promised: ProvisionOrder | undefined;
}

/** What turns at a PBX take from the product. */
export interface PbxParts {
  readonly kernel: Kernel;
  readonly settings: ProvisioningSettings;
  readonly drivers: PbxDrivers;
  readonly answers: Replies<Answered>;
}

export interface HoldingParts extends PbxParts {
  readonly instanceHolders: Map<string, InstanceHolder>;
}

/**
 * Carries out what is due on the instance, in order, the given operation included. Whoever finds another job of this
 * process at it leaves it the order and is done: the other looks once more, and should the process die, so does
 * whoever repeats its job.
 */
export async function settle(parts: HoldingParts, order: ProvisionOrder, draining: AbortSignal): Promise<void> {
  const { kernel, instanceHolders: all } = parts;
  const other = all.get(order.instance);
  if (other) {
    [other.isWanted, other.promised] = [true, order];
    return;
  }
  const own: InstanceHolder = { isWanted: false, promised: undefined };
  all.set(order.instance, own);
  try {
    // Nothing else runs between the last look and the end of it: nobody leaves anything to one who is gone.
    do await settleAmongWorkers({ ...parts, order, draining, own });
    while (own.isWanted);
  } catch (error) {
    all.delete(order.instance);
    // Busy is repeated until it is not; anything else only so often, and then theirs would be without a job.
    if (own.promised && !(error instanceof Busy)) await leave(kernel, own.promised);
    throw error;
  } finally {
    if (all.get(order.instance) === own) all.delete(order.instance);
  }
}

/** Should Redis be away, the sweeper finds them. */
const leave = (kernel: Kernel, order: ProvisionOrder): Promise<void> =>
  kernel.jobs.wakeOne(provision, newId(), order).catch(() => {});

interface Task extends PbxParts {
  readonly order: ProvisionOrder;
  readonly draining: AbortSignal;
  readonly own: InstanceHolder;
}

async function settleAmongWorkers(task: Task): Promise<void> {
  const { kernel, order, own } = task;
  const mark = leaseMark(kernel, pbxAddress(order));
  try {
    await takeOrMark(task, mark);
    while (await mark.take()) await takeTurn(task);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    const { upTo } = own.promised ?? order;
    if (!(await isOpen(kernel.mysql, upTo))) return;
    // The holder does it anyway. In case it has died, this job comes back when its lease runs out.
    throw new Busy(error.message, Math.max(await leaseLeftMs(kernel, pbxAddress(order)), LEAST_WAIT_MS));
  }
}

/** If another worker holds the lease, leaves a mark for it and tries once more. */
async function takeOrMark(task: Task, mark: LeaseMark): Promise<void> {
  const { own } = task;
  for (let isMarked = false; ; isMarked = true) {
    try {
      return await takeTurn(task);
    } catch (error) {
      if (!(error instanceof Busy) || (isMarked && !own.isWanted)) throw error;
      own.isWanted = false;
      await mark.leave();
    }
  }
}

/** Does what is due until nobody wants anything more. Throws Busy when another worker is at it. */
async function takeTurn({ kernel, settings, drivers, answers, order, draining, own }: Task): Promise<void> {
  // Whoever waits for the last one may ask for more at once; by then the lease is to be free.
  const last: Answered[] = [];
  // A little early rather than late: the time of operations runs from when they are read.
  let readAt = Date.now();
  const run = async (turn: TurnContext, read: readonly Rows[]): Promise<void> => {
    const breaker = openBreaker(turn, settings);
    for (let work = workOf(read); ; work = await findWork(kernel.mysql, order.instance)) {
      const { instance, due } = work;
      if (!instance) return;
      const bench = { turn, settings, instance, driver: drivers.of(instance), breaker, readAt };
      await carryOutAll(bench, due, { answers, last });
      if (!own.isWanted) return;
      [own.isWanted, readAt] = [false, Date.now()];
      await tell(answers, last.splice(0));
    }
  };
  try {
    await takeLeased(kernel, pbxAddress(order), draining, run, workOn(order.instance));
  } finally {
    await tell(answers, last);
  }
}

interface Telling {
  readonly answers: Replies<Answered>;
  /** Not told yet. */
  readonly last: Answered[];
}

async function carryOutAll(bench: Bench, due: readonly Operation[], { answers, last }: Telling): Promise<void> {
  const { turn } = bench;
  for (const operation of due) {
    if (turn.isOver()) throw new Busy('the lease is lost, or the process ends');
    const came = await settleOne(bench, operation);
    await tell(answers, last.splice(0));
    last.push(came ?? operation);
  }
  await lookAfterReload(bench);
}
