/** Takes over the PINs of mailboxes that people have changed at the telephone, as the PBX has them. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Extension } from '../../model/extensions/extension';
import { seal } from '../../model/extensions/sealing';
import * as extensions from '../../store/extensions/extensions';
import type { Held } from '../pbx-instance/driver';
import type { TurnResources } from '../pbx-instance/turn-resources';

/** What a telephone can set. */
const DIALLED = /^\d{1,16}$/;

interface Compared {
  readonly held: readonly Held[];
  /** Without those for which an order is under way: it decides. */
  readonly wanted: readonly Extension[];
}

/** Returns whose, in words. */
export async function adoptPins({ turn }: TurnResources, { held, wanted }: Compared): Promise<string[]> {
  const pins = new Map(held.flatMap(({ number, pin }) => (pin === undefined ? [] : [[number, pin] as const])));
  const adopted: string[] = [];
  for (const extension of wanted) {
    const pin = pins.get(extension.number);
    if (!isNewPin(extension, pin)) continue;
    if (turn.isOver()) break;
    await turn.commit(({ db }) => keepPin(db, turn.kernel.secrets, extension, pin));
    adopted.push(`PIN of ${extension.number}`);
  }
  return adopted;
}

export const isNewPin = ({ credentials }: Extension, pin: string | undefined): pin is string =>
  pin !== undefined && pin !== credentials.voicemail_vmpwd && DIALLED.test(pin);

export async function keepPin(db: Database, secrets: Secrets, extension: Extension, pin: string): Promise<void> {
  const { id, credentials } = extension;
  await extensions.keepCredentials(db, id, seal(secrets, { ...credentials, voicemail_vmpwd: pin }));
}
