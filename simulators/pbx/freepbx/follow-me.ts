// Follow-me of a simulated FreePBX, as its module findmefollow 16.0.23 keeps it: with the user, so that whatever deletes the
// user without edit mode (updateExtension, deleteExtension) deletes it as well.
import type { JsonObject, Store } from '../store';
import { Said } from './checks';
import type { Input, Outcome } from './extensions';
import { wordsOf } from './inbound-routes';

/** What a first updateFollowMe leaves where it says nothing. */
const USUAL: JsonObject = { strategy: 'ringallv2prim', ringTime: 20, initialRingTime: 7, ringingMusic: 'Ring' };

type Place = { readonly instance: string; readonly number: string };

const refuse = (message: string): Outcome => ({ status: false, message });

export async function changeFollowMe(store: Store, instance: string, input: Input): Promise<Outcome> {
  const { extensionId, clientMutationId: _, ...given } = input;
  const place: Place = { instance, number: String(extensionId) };
  const before = store.get(place)?.extension;
  if (!before) return refuse(`${place.number} : This extension does not exist`);
  const wrong = wrongDestination(store, place, given['noAnswerDestination']);
  if (wrong !== undefined) return refuse(wrong);
  const list = given['followMeList'];
  const members = typeof list === 'string' ? { followMeList: cleaned(store, place, list) } : {};
  const kept = (before['follow_me'] ?? { ...USUAL, followMeList: place.number }) as JsonObject;
  await store.put(place, { extension: { ...before, follow_me: { ...kept, ...given, ...members } }, key: null });
  return { status: true, message: 'Follow me has been updated' };
}

function wrongDestination(store: Store, { instance, number }: Place, to: unknown): string | undefined {
  if (typeof to !== 'string' || to === `ext-local,${number},dest`) return undefined;
  if (to.startsWith('ext-local,')) {
    return `Follow me allows only Same extension Behavior, Example: please provide this format \`ext-local,${number},dest\``;
  }
  return wordsOf(store, instance, to) === null ? `Invalid Route: ${to}` : undefined;
}

/** Whatever is no extension gets a `#`. */
function cleaned(store: Store, { instance, number }: Place, list: string): string {
  if (list === '') throw new Said('Internal server error');
  const isOwn = (member: string): boolean => store.get({ instance, number: member }) !== undefined;
  return list
    .split('-')
    .map((member) => {
      const plain = member.replaceAll(/[^0-9*+]/g, '');
      return isOwn(plain) && (!member.endsWith('#') || plain === number) ? plain : `${plain}#`;
    })
    .join('-');
}

/** Empty values are shown as null. */
export function shownFollowMe(held: JsonObject | undefined, number: string): JsonObject {
  const own = held?.['follow_me'] as JsonObject | undefined;
  if (!own) throw new Said(`No record found for ${number}`);
  const names = ['strategy', 'ringTime', 'followMePrefix', 'followMeList', 'noAnswerDestination', 'alertInfo'];
  const more = ['confirmCalls', 'ringingMusic', 'initialRingTime', 'fixedCallerId'];
  return {
    status: true,
    message: 'Record found successfully',
    enabled: own['enabled'],
    externalCallerIdMode: own['externalCallerIdMode'] ?? 'default',
    ...Object.fromEntries([...names, ...more].map((name) => [name, own[name] || null])),
  };
}
