/** What becomes of `data` fields that a kind of PBX does not store: they stay in the database, with a warning. */
import { BACKEND_FIELDS, BACKENDS, type Backend } from '../sites/backends';
import type { Extension, ExtensionData } from './extension';
import { FIELDS, type Field } from './extension-fields';

/** Derived from other fields, which take precedence: `voicemail`, and `name` with the number. */
const SAID_OTHERWISE = new Set(['voicemail_enable', 'callerid']);

const lostBy = (backend: Backend) =>
  Object.entries(FIELDS).filter(([name]) => !BACKEND_FIELDS[backend].includes(name) && !SAID_OTHERWISE.has(name));
const LOST = new Map(BACKENDS.map((backend) => [backend, lostBy(backend)]));

const isSet = (
  { number, data }: Pick<Extension, 'number' | 'data'>,
  [name, { fallback }]: [string, Field],
): boolean => {
  const usual = typeof fallback === 'function' ? fallback(number, String(data['name'])) : fallback;
  return data[name] !== undefined && data[name] !== usual;
};

/** One sentence per field that was set but that the PBX cannot store. */
export const warningsFor = (backend: Backend, extension: Pick<Extension, 'number' | 'data'>): string[] =>
  (LOST.get(backend) ?? [])
    .filter((field) => isSet(extension, field))
    .map(([name]) => `data.${name}: is kept here, but this kind of PBX (${backend}) does not take it`);

/** Calls would not work as requested without these fields, so an order that would lose them is refused. */
const CHANGE_CALLS = ['allow', 'disallow', 'transport'];

/** Says which codec or transport field an order would lose. Repeating the stored value loses nothing. */
export function lossInCalls(
  backend: Backend,
  given: Readonly<Record<string, unknown>> | undefined,
  before?: ExtensionData,
): string | undefined {
  const lost = CHANGE_CALLS.filter((name) => !BACKEND_FIELDS[backend].includes(name)).find(
    (name) => given?.[name] !== undefined && given[name] !== (before?.[name] ?? ''),
  );
  return lost && `data.${lost}: this kind of PBX (${backend}) does not take it`;
}
