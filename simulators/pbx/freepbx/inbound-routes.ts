// Inbound routes of a simulated FreePBX, as core 16.0.68.30 keeps them. A destination must be there when it is written;
// afterwards it is shown in the words of the page, or as nothing once it is gone.
import type { JsonObject, Store } from '../store';
import type { Input, Outcome } from './extensions';
import { NeverRecorded } from './never-recorded';
import { ringGroupsOf } from './ring-groups';

const BLACK_HOLES: Readonly<Record<string, string>> = { hangup: 'Hangup', busy: 'Busy' };

export const inboundRoutesOf = (instance: string): string => `${instance}/numbers`;

const nameIn = (held: JsonObject): string => `${String(held['number'])} ${String(held['name'])}`;

/** What FreePBX's page says of a destination, if it is there. */
export function wordsOf(store: Store, instance: string, destination: string): string | null {
  const [context = '', at = ''] = destination.split(',');
  switch (context) {
    case 'app-blackhole':
      return BLACK_HOLES[at] ? `Terminate Call:${BLACK_HOLES[at]}` : null;
    case 'ext-group': {
      const group = store.get({ instance: ringGroupsOf(instance), number: at })?.extension;
      return group ? `Ring Groups:${at} ${String(group['description'])}` : null;
    }
    case 'from-did-direct': {
      const extension = store.get({ instance, number: at })?.extension;
      return extension ? `Extensions: ${nameIn(extension)}` : null;
    }
    default:
      return mailboxWords(store.get({ instance, number: at.replace(/^vmu/, '') })?.extension);
  }
}

const mailboxWords = (held: JsonObject | undefined): string | null =>
  held?.['voicemail'] === 'default' ? `Voicemail:${nameIn(held)} (Unavailable Message)` : null;

export const shownRoute = (store: Store, instance: string, held: JsonObject): JsonObject => ({
  extension: String(held['number']),
  cidnum: '',
  description: held['description'] ?? '',
  destinationConnection: wordsOf(store, instance, String(held['destination'])),
});

const MALFORMED = 'Please provide the valid `destination` value, for example extension (100) :`from-did-direct,100,1`';
const UNKNOWN = 'Input variable destination does not exists in this system, Please provide the valid `destination`';

export async function changeRoutes(
  store: Store,
  instance: string,
  { mutation, input }: { readonly mutation: string; readonly input: Input },
): Promise<Outcome> {
  const place = { instance: inboundRoutesOf(instance), number: didOf(mutation, input) };
  const before = store.get(place)?.extension;
  if (mutation === 'removeInboundRoute') {
    await store.remove(place);
    return before
      ? { status: true, message: 'Inbound Route deleted successfully' }
      : { status: false, message: 'Inbound Route not found' };
  }
  const destination = String(input['destination']);
  if (destination.split(',').length < 3) return { status: false, message: MALFORMED };
  if (wordsOf(store, instance, destination) === null) return { status: false, message: UNKNOWN };
  const isUpdate = mutation === 'updateInboundRoute';
  if (isUpdate === (before === undefined)) {
    return { status: false, message: `Inbound Route ${isUpdate ? 'does not' : 'already'} exists` };
  }
  const extension = { number: Number(place.number), description: input['description'] ?? '', destination };
  await store.put(place, { extension, key: null });
  return { status: true, message: `Inbound Route ${isUpdate ? 'updated' : 'created'} successfully` };
}

/** The digits of the DID. Routes for one caller alone are nobody's business here. */
function didOf(mutation: string, { id, extension, cidnum }: Input): string {
  const given = typeof id === 'string' ? id : `${String(extension)}/${String(cidnum)}`;
  const [, digits] = /^(\d+)\/$/.exec(given) ?? [];
  if (digits === undefined) throw new NeverRecorded(`${mutation} of anything but the digits of a DID`);
  return digits;
}
