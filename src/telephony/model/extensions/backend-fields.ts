/** What becomes of each `data` field on a kind of PBX: carried, or kept in the database with a warning, or refused. */
import {
  BACKEND_FIELDS,
  BACKEND_FORMS,
  BACKEND_NAMES,
  BACKEND_PARTS,
  BACKEND_REFUSES,
  KINDS,
  type Kind,
} from '../sites/backends';
import type { Extension, ExtensionData } from './extension';
import { CREDENTIAL_FIELDS, fallbackOf, FIELDS, type Value } from './extension-fields';

export const DATA_FIELDS: readonly string[] = [...Object.keys(FIELDS), ...CREDENTIAL_FIELDS];
const KNOWN = new Set([...DATA_FIELDS, 'id', 'extension']);

export type Fate = 'carried' | 'in part' | 'stored only' | 'refused';

/** One cell of the table that docs/PROVISIONING.md prints. */
export function fateOf(backend: Kind, name: string): Fate {
  if (BACKEND_PARTS[backend][name]) return 'in part';
  if (BACKEND_FIELDS[backend].includes(name)) return 'carried';
  return BACKEND_REFUSES[backend].includes(name) ? 'refused' : 'stored only';
}

/** Of each field, for answers. */
export const fatesOf = (kind: Kind): Record<string, Fate> =>
  Object.fromEntries(DATA_FIELDS.map((name) => [name, fateOf(kind, name)]));

const lostBy = (backend: Kind) =>
  DATA_FIELDS.filter((name) => fateOf(backend, name) !== 'carried' || BACKEND_FORMS[backend][name]);
const LOST = new Map(KINDS.map((backend) => [backend, lostBy(backend)]));

type Described = Pick<Extension, 'number' | 'data' | 'credentials'>;

const valueIn = ({ data, credentials }: Described, name: string): Value | undefined =>
  data[name] ?? (credentials as unknown as Readonly<Record<string, string>>)[name];

/** Fields that every extension has a value of its own for. */
const NEVER_USUAL = new Set(['name', 'voicemail_vmpwd']);

function isUsual(extension: Described, name: string): boolean {
  const usual = fallbackOf(FIELDS[name] ?? { fallback: '' }, extension.number, String(extension.data['name']));
  return !NEVER_USUAL.has(name) && valueIn(extension, name) === usual;
}

function warningOf(backend: Kind, extension: Described, name: string): string | undefined {
  const value = valueIn(extension, name);
  if (value === undefined || isUsual(extension, name)) return undefined;
  const part = BACKEND_PARTS[backend][name] ?? BACKEND_FORMS[backend][name];
  if (part?.isWhole?.(value)) return undefined;
  const pbx = `this kind of PBX (${backend})`;
  return part ? `data.${name}: ${pbx} ${part.words}` : `data.${name}: is kept here, but ${pbx} does not take it`;
}

/** Every extension has a value for these, or they follow from others: only an order that sends them is told. */
const WARNED_IF_SENT = new Set([...NEVER_USUAL, 'callerid', 'voicemail_enable']);

/** One sentence per field that is set but that the PBX does not carry. */
export const warningsFor = (backend: Kind, extension: Described): string[] =>
  (LOST.get(backend) ?? [])
    .filter((name) => !WARNED_IF_SENT.has(name))
    .flatMap((name) => warningOf(backend, extension, name) ?? []);

/** The same, but only for the fields that an order sent, including those that do not exist. */
export function orderWarnings(backend: Kind, sent: readonly string[], after: Described, before?: Described): string[] {
  const isNews = (name: string): boolean =>
    !NEVER_USUAL.has(name) || before === undefined || valueIn(after, name) !== valueIn(before, name);
  const lost = (LOST.get(backend) ?? []).filter((name) => sent.includes(name) && isNews(name));
  return [
    ...lost.flatMap((name) => warningOf(backend, after, name) ?? []),
    ...sent.filter((name) => !KNOWN.has(name)).map((name) => `data.${name}: there is no such field, so it is not kept`),
  ];
}

/** Says which field an order would lose without calls being as ordered. Repeating the stored value loses nothing. */
export function lossInCalls(
  backend: Kind,
  given: Readonly<Record<string, unknown>> | undefined,
  before?: ExtensionData,
): string | undefined {
  const isNew = (name: string): boolean => given?.[name] !== undefined && given[name] !== (before?.[name] ?? '');
  const lost = BACKEND_REFUSES[backend].find(isNew);
  if (lost !== undefined) return `data.${lost}: this kind of PBX (${backend}) does not take it`;
  const formless = Object.entries(BACKEND_FORMS[backend]).find(
    ([name, form]) => isNew(name) && form.isWhole?.(given?.[name] as Value) === false,
  );
  return formless && `data.${formless[0]}: this kind of PBX (${backend}) ${formless[1].words}`;
}

const LENGTHS = {
  bytes: (name: string) => Buffer.byteLength(name),
  characters: (name: string) => Array.from(name).length,
} as const;

/** Says why a PBX cannot take a name. */
export function nameRefusal(backend: Kind, name: string): string | undefined {
  const { most = Infinity, unit = 'characters', without = '' } = BACKEND_NAMES[backend] ?? {};
  if (LENGTHS[unit](name) > most) return `data.name: this kind of PBX (${backend}) takes at most ${most} ${unit}`;
  if (without === '' || !name.includes(without)) return undefined;
  return `data.name: this kind of PBX (${backend}) takes no "${without}"`;
}
