/** The driver that an instance's backend needs, and the extension as it is pushed. */
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

/** Makes drivers, and keeps what the drivers of an instance share: tokens of a FreePBX, connections to a Kamailio. */
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

/** All of it, always: what is pushed twice or out of order still ends as the last of them. */
export function pushed(extension: Pick<Extension, 'number' | 'data' | 'credentials'>, operation: string): Held {
  return { number: extension.number, ...extension.data, ...extension.credentials, operation };
}

/** The fields that a PBX does not hold as we would push them; a missing extension differs in all it shows. */
export function differences(driver: PbxDriver, held: Held | undefined, wanted: Held): string[] {
  const shown = Object.entries(driver.shows?.(wanted) ?? wanted).filter(([name]) => name !== 'operation');
  const isWrong = ([name, value]: [string, unknown]): boolean => {
    if (held === undefined || held.isPartial) return true;
    return held[name] !== value && !(held.isSummary && !(name in held));
  };
  return shown.filter(isWrong).map(([name]) => name);
}

/** Whether a PBX holds what we would push, whoever pushed it. */
export const isSame = (driver: PbxDriver, held: Held | undefined, wanted: Held): held is Held =>
  differences(driver, held, wanted).length === 0;

/** Whether this very operation wrote what a PBX holds. */
export const hasWritten = ({ id, mark }: Pick<Operation, 'id' | 'mark'>, held: Held | undefined): held is Held =>
  held?.operation !== undefined && (held.operation === id || held.operation === mark);
