/** What becomes of each `data` field on a kind of PBX: carried, or kept in the database with a warning, or refused. */
import {
  BACKEND_FIELDS,
  BACKEND_NAMES,
  BACKEND_PARTS,
  BACKEND_REFUSES,
  BACKENDS,
  type Backend,
} from '../sites/backends';
import type { Extension, ExtensionData } from './extension';
import { CREDENTIAL_FIELDS, fallbackOf, FIELDS, type Value } from './extension-fields';

export const DATA_FIELDS: readonly string[] = [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS];
const KNOWN = new Set([...DATA_FIELDS, 'id', 'extension']);

export type Fate = 'carried' | 'in part' | 'stored only' | 'refused';

/** One cell of the table that docs/PROVISIONING.md prints. */
export function fateOf(backend: Backend, name: string): Fate {
  if (BACKEND_PARTS[backend][name]) return 'in part';
  if (BACKEND_FIELDS[backend].includes(name)) return 'carried';
  return BACKEND_REFUSES[backend].includes(name) ? 'refused' : 'stored only';
}

const lostBy = (backend: Backend) => DATA_FIELDS.filter((name) => fateOf(backend, name) !== 'carried');
const LOST = new Map(BACKENDS.map((backend) => [backend, lostBy(backend)]));

type Described = Pick<Extension, 'number' | 'data' | 'credentials'>;

const valueIn = ({ data, credentials }: Described, name: string): Value | undefined =>
  data[name] ?? (credentials as unknown as Readonly<Record<string, string>>)[name];

/** Fields that every extension has a value of its own for. */
const NEVER_USUAL = new Set(['name', 'voicemail_vmpwd']);

function isUsual(extension: Described, name: string): boolean {
  const usual = fallbackOf(FIELDS[name] ?? { fallback: '' }, extension.number, String(extension.data['name']));
  return !NEVER_USUAL.has(name) && valueIn(extension, name) === usual;
}

function warningOf(backend: Backend, extension: Described, name: string): string | undefined {
  const value = valueIn(extension, name);
  if (value === undefined || isUsual(extension, name)) return undefined;
  const part = BACKEND_PARTS[backend][name];
  if (part?.isWhole?.(value)) return undefined;
  const pbx = `this kind of PBX (${backend})`;
  return part ? `data.${name}: ${pbx} ${part.words}` : `data.${name}: is kept here, but ${pbx} does not take it`;
}

/** Every extension has a value for these, or they follow from others: only an order that sends them is told. */
const WARNED_IF_SENT = new Set([...NEVER_USUAL, 'callerid', 'voicemail_enable']);

/** One sentence per field that is set but that the PBX does not carry. */
export const warningsFor = (backend: Backend, extension: Described): string[] =>
  (LOST.get(backend) ?? [])
    .filter((name) => !WARNED_IF_SENT.has(name))
    .flatMap((name) => warningOf(backend, extension, name) ?? []);

/** The same, but only for the fields that an order sent, including those that do not exist. */
export function orderWarnings(
  backend: Backend,
  sent: readonly string[],
  after: Described,
  before?: Described,
): string[] {
  const isNews = (name: string): boolean =>
    !NEVER_USUAL.has(name) || before === undefined || valueIn(after, name) !== valueIn(before, name);
  const lost = (LOST.get(backend) ?? []).filter((name) => sent.includes(name) && isNews(name));
  return [
    ...lost.flatMap((name) => warningOf(backend, after, name) ?? []),
    ...sent.filter((name) => !KNOWN.has(name)).map((name) => `data.${name}: there is no such field, so it is not kept`),
  ];
}

/** Says which codec or transport field an order would lose. Repeating the stored value loses nothing. */
export function lossInCalls(
  backend: Backend,
  given: Readonly<Record<string, unknown>> | undefined,
  before?: ExtensionData,
): string | undefined {
  const lost = BACKEND_REFUSES[backend].find(
    (name) => given?.[name] !== undefined && given[name] !== (before?.[name] ?? ''),
  );
  return lost && `data.${lost}: this kind of PBX (${backend}) does not take it`;
}

const LENGTHS = {
  bytes: (name: string) => Buffer.byteLength(name),
  characters: (name: string) => Array.from(name).length,
} as const;

/** Says why a PBX cannot take a name. */
export function nameRefusal(backend: Backend, name: string): string | undefined {
  const { most = Infinity, unit = 'characters', without = '' } = BACKEND_NAMES[backend] ?? {};
  if (LENGTHS[unit](name) > most) return `data.name: this kind of PBX (${backend}) takes at most ${most} ${unit}`;
  if (without === '' || !name.includes(without)) return undefined;
  return `data.name: this kind of PBX (${backend}) takes no "${without}"`;
}
