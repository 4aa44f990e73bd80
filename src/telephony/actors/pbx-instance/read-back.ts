/** Reads back what was pushed to a PBX, because a success answer does not prove the change. */
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { differences } from './drivers';
import { inTheMiddle } from './pbx-http';

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
export async function ensureHeld(driver: PbxDriver, wanted: Held, context: CallContext): Promise<void> {
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
  driver.get(number, context).catch((error: unknown) => {
    throw inTheMiddle(error);
  });
