// Ring groups of a simulated FreePBX, as its module ringgroups 16.0.11 keeps them.
import type { JsonObject, Store } from '../store';
import type { Input, Outcome } from './extensions';

/** The column for each field of the mutations, what addRingGroup writes without one, and how it is shown. */
const COLUMNS: readonly (readonly [input: string, column: string, usual: unknown])[] = [
  ['description', 'description', ''],
  ['strategy', 'strategy', 'ringall'],
  ['extensionList', 'grplist', ''],
  ['ringTime', 'grptime', '20'],
  // Not a slip: without a prefix, FreePBX 16 puts this word before every name.
  ['groupPrefix', 'grppre', 'ringall'],
  ['postAnswer', 'postdest', 'app-blackhole,hangup,1'],
];

export const ringGroupsOf = (instance: string): string => `${instance}/ring-groups`;

export const shownRingGroup = (held: JsonObject): JsonObject => ({
  groupNumber: Number(held['number']),
  groupTime: Number(held['grptime']),
  groupList: held['grplist'],
  groupPrefix: held['grppre'],
  description: held['description'],
  strategy: held['strategy'],
  postAnswer: held['postdest'],
});

export async function changeRingGroups(
  store: Store,
  instance: string,
  { mutation, input }: { readonly mutation: string; readonly input: Input },
): Promise<Outcome> {
  const number = String(input['groupNumber']);
  const place = { instance: ringGroupsOf(instance), number };
  const before = store.get(place)?.extension;
  if (mutation === 'deleteRingGroup') {
    await store.remove(place);
    return { status: true, message: 'Successfully deleted ringgroup' };
  }
  if (mutation === 'addRingGroup' && before) return { status: false, message: 'Sorry,Ringgroup already exists' };
  if (mutation === 'updateRingGroup' && !before)
    return { status: false, message: 'Sorry, unable to find the Ringgroup' };
  const columns = COLUMNS.map(([name, column, usual]) => [column, input[name] ?? before?.[column] ?? usual]);
  await store.put(place, { extension: { number: Number(number), ...Object.fromEntries(columns) }, key: null });
  return { status: true, message: before ? 'RingGroup updated Successfully' : 'Successfully added ringgroup' };
}
