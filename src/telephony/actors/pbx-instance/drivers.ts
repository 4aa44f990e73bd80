/**
 * Chooses the driver for a backend, builds the extension to push, and compares it with what a PBX holds. What was pushed
 * is read back, because a success answer does not prove the change.
 */
import type { Kernel } from '../../../kernel/kernel';
import type { Extension } from '../../model/extensions/extension';
import type { Operation } from '../../model/extensions/operation';
import type { Instance } from '../../model/sites/site';
import { callsSideOf, type CallsSide } from '../pbx-calls/calls-side';
import { AmiSessions } from './asterisk-ami';
import { asteriskAri } from './asterisk-ari';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { freePbx } from './freepbx';
import { openTokens } from './freepbx/freepbx-api';
import { KamailioPools, kamailioPbx } from './kamailio';
import { throwInTheMiddle } from './pbx-http';
import { simulatedPbx } from './simulated';

/** Creates drivers, and owns what an instance's drivers share: FreePBX tokens, sessions of AMI users and Kamailio connection pools. */
export class PbxDrivers {
  readonly #kernel: Pick<Kernel, 'log' | 'pause' | 'secrets'>;
  readonly #tokens = openTokens();
  readonly #sessions = new AmiSessions();
  readonly #pools = new KamailioPools();

  constructor(kernel: Pick<Kernel, 'lifecycle' | 'log' | 'pause' | 'secrets'>) {
    this.#kernel = kernel;
    kernel.lifecycle.on('connections', 'kamailio', () => this.#pools.close());
  }

  of(instance: Instance): PbxDriver {
    switch (instance.backend) {
      case 'simulated':
        return simulatedPbx(this.#kernel.pause, instance);
      case 'kamailio':
        return kamailioPbx(this.#kernel, instance, this.#pools);
      case 'freepbx':
        return freePbx(this.#kernel, instance, this.#tokens);
      case 'asterisk-ari':
        return asteriskAri(this.#kernel, instance, this.#sessions);
    }
  }

  /** What a PBX shows of calls; undefined if it shows nothing. */
  callsOf(instance: Instance): CallsSide | undefined {
    return instance.backend === 'asterisk-ari' ? callsSideOf(this.#kernel, instance, this.#sessions) : undefined;
  }
}

/** Always pushes the whole extension, so that after repeated or reordered pushes the last one wins. */
export function pushed(extension: Pick<Extension, 'number' | 'data' | 'credentials'>, operation: string): Held {
  return { number: extension.number, ...extension.data, ...extension.credentials, operation };
}

/** The fields in which a PBX differs from what would be pushed. A missing extension differs in all of them. */
export function differences(driver: PbxDriver, held: Held | undefined, wanted: Held): string[] {
  const shown = Object.entries(driver.shows?.(wanted) ?? wanted).filter(([name]) => name !== 'operation');
  const isWrong = ([name, value]: [string, unknown]): boolean => {
    if (held === undefined || held.isPartial) return true;
    return held[name] !== value && !(held.isSummary && !(name in held));
  };
  return shown.filter(isWrong).map(([name]) => name);
}

/** Whether a PBX holds what would be pushed, no matter which operation wrote it. */
export const isSame = (driver: PbxDriver, held: Held | undefined, wanted: Held): held is Held =>
  differences(driver, held, wanted).length === 0;

/** The fields that were changed and that the PBX does not show, so that nobody can tell whether it holds them. */
export const unseenChanges = (driver: PbxDriver, before: Held, after: Held): string[] =>
  (driver.unseen ?? []).filter((name) => before[name] !== after[name]);

/** Whether both are the same to this PBX. Never for one that stores which operation has written an extension. */
export const isNoChange = (driver: PbxDriver, before: Held, after: Held): boolean =>
  driver.recognises === 'content' &&
  isSame(driver, driver.shows?.(before) ?? before, after) &&
  unseenChanges(driver, before, after).length === 0;

/** Whether this very operation wrote what the PBX holds. */
export const hasWritten = ({ id, mark }: Pick<Operation, 'id' | 'mark'>, held: Held | undefined): held is Held =>
  held?.operation !== undefined && (held.operation === id || held.operation === mark);

/** How many fields the client's message names; the log names all. */
const MAX_NAMED = 3;

/** The PBX reported success but does not hold the change. */
export class NotHeld extends PbxError {
  /** Names only, because some values are secrets. */
  readonly fields: readonly string[];

  constructor(what: string, fields: readonly string[] = []) {
    super('cut', `The PBX said that it was done, but ${what}`);
    this.name = 'NotHeld';
    this.fields = fields;
  }
}

/** Throws NotHeld if the extension is missing or differs. */
export async function ensurePbxHas(driver: PbxDriver, wanted: Held, context: CallContext): Promise<void> {
  const held = await lookAfter(driver, wanted.number, context);
  if (!held) throw new NotHeld('does not have the extension');
  const wrong = differences(driver, held, wanted);
  if (wrong.length === 0) return;
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : '';
  throw new NotHeld(`holds something else in ${wrong.slice(0, MAX_NAMED).join(', ')}${more}`, wrong);
}

export async function ensureGone(driver: PbxDriver, number: number, context: CallContext): Promise<void> {
  if (await lookAfter(driver, number, context)) throw new NotHeld('still has the extension');
}

/** A change was sent before this read, so if the read fails the outcome is unknown. */
const lookAfter = (driver: PbxDriver, number: number, context: CallContext): Promise<Held | undefined> =>
  driver.get(number, context).catch(throwInTheMiddle);
