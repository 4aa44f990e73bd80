/** Reads back what a PBX was told: its word that it did something is no proof that it has. */
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { differences } from './drivers';
import { inTheMiddle } from './pbx-http';

/** What a client is told; the log names every field. */
const MOST_NAMED = 3;

/** The PBX said that it was done, and it was not. */
export class NotHeld extends PbxError {
  /** Only names of fields: some of their values are secrets. */
  readonly fields: readonly string[];

  constructor(what: string, fields: readonly string[] = []) {
    super('cut', `The PBX said that it was done, but ${what}`);
    this.name = 'NotHeld';
    this.fields = fields;
  }
}

/** Throws NotHeld where the extension is not there, or is not as it shall be. */
export async function ensureHeld(driver: PbxDriver, wanted: Held, context: CallContext): Promise<void> {
  const held = await lookAfter(driver, wanted.number, context);
  if (!held) throw new NotHeld('does not have the extension');
  const wrong = differences(driver, held, wanted);
  if (wrong.length === 0) return;
  const more = wrong.length > MOST_NAMED ? ` and ${wrong.length - MOST_NAMED} more` : '';
  throw new NotHeld(`holds something else in ${wrong.slice(0, MOST_NAMED).join(', ')}${more}`, wrong);
}

export async function ensureGone(driver: PbxDriver, number: number, context: CallContext): Promise<void> {
  if (await lookAfter(driver, number, context)) throw new NotHeld('still has the extension');
}

/** A change went before: if this look fails, nobody can say any more that nothing was done. */
const lookAfter = (driver: PbxDriver, number: number, context: CallContext): Promise<Held | undefined> =>
  driver.get(number, context).catch((error: unknown) => {
    throw inTheMiddle(error);
  });
