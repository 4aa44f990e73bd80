/** Chooses the driver for a backend, builds the extension to push, and compares it with what a PBX holds. */
import type { Kernel } from '../../../kernel/kernel';
import type { Extension } from '../../model/extensions/extension';
import type { Operation } from '../../model/extensions/operation';
import type { Instance } from '../../model/sites/site';
import { asteriskAri } from './asterisk-ari';
import type { Held, PbxDriver } from './driver';
import { freePbx } from './freepbx';
import { openTokens } from './freepbx-api';
import { KamailioPools, kamailioPbx } from './kamailio';
import { simulatedPbx } from './simulated';

/** Creates drivers, and owns what an instance's drivers share: FreePBX tokens and Kamailio connection pools. */
export class PbxDrivers {
  readonly #kernel: Kernel;
  readonly #tokens = openTokens();
  readonly #pools = new KamailioPools();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    kernel.lifecycle.on('connections', 'kamailio', () => this.#pools.close());
  }

  of(instance: Instance): PbxDriver {
    switch (instance.backend) {
      case 'simulated':
        return simulatedPbx(this.#kernel, instance);
      case 'kamailio':
        return kamailioPbx(this.#kernel, instance, this.#pools);
      case 'freepbx':
        return freePbx(this.#kernel, instance, this.#tokens);
      case 'asterisk-ari':
        return asteriskAri(this.#kernel, instance);
    }
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
