/** Validates what a client sends about an extension, and derives the extension from it. */
import { z } from 'zod';
import { brokenTexts } from '../broken-text';
import {
  MASK,
  readCallerId,
  writeCallerId,
  type Credentials,
  type ExtensionData,
  type ExtensionState,
} from './extension';
import { CREDENTIAL_FIELDS, fallbackOf, FIELDS, type Field, type Value } from './extension-fields';
import { searchableId } from '../../../kernel/id';
import { emails, line, optionalEmail, optionalId } from '../fields';
import { anyOf, sayIssues } from '../../../kernel/text/plain-words';

/** The largest number that the simulated PBX and every dial plan can hold. */
export const MAX_NUMBER = 999_999_999_999_999;

/** Control characters are refused: a line end could inject another field into a PBX's configuration file. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROL = /[\u0000-\u001f\u007f]/;

function fieldSchema({ type, values, least, most = 255 }: Field): z.ZodType<Value> {
  if (type === 'boolean') return anyOf([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);
  if (type === 'integer') return wholeNumber(least ?? 0, most);
  const plain = anyOf([z.string(), z.int().transform(String), z.null().transform(() => '')]);
  if (values)
    return plain.refine((word) => values.includes(word), `must be one of ${values.map((v) => `"${v}"`).join(', ')}`);
  if (least !== undefined) {
    return plain.refine(
      (word) => /^\d{1,9}$/.test(word) && Number(word) <= most,
      `must be a number from ${least} to ${most}`,
    );
  }
  return plain.refine(
    (word) => word.length <= most && !CONTROL.test(word),
    `must be one line of at most ${most} characters`,
  );
}

function wholeNumber(least: number, most: number) {
  const whole = z.int().min(least).max(most);
  return anyOf([
    whole,
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(whole),
  ]);
}

const number = wholeNumber(1, MAX_NUMBER);
const ownName = anyOf([z.string(), z.int().transform(String)])
  .transform((word) => word.trim())
  .refine(
    (word) => word !== '' && word.length <= 100 && !CONTROL.test(word),
    'must be one line of 1 to 100 characters',
  );
const isOneLine = (word: string): boolean => !CONTROL.test(word);
const oneLine = (most?: number) => line(most).refine(isOneLine, 'must be one line');
const SECRET = /^[\x21\x23-\x26\x28-\x3a\x3d\x3f-\x5b\x5d-\x7e]{8,64}$/;
const kept = (word: string) => word === MASK || word === '';

/** How many names that are no fields an answer names, and how much of each. */
const MAX_UNKNOWN = 20;
const UNKNOWN_LETTERS = 64;

const knownData = z.object({
  ...Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, fieldSchema(field).optional()])),
  name: ownName.optional(),
  voicemail_email: emails.refine(isOneLine, 'must be one line').optional(),
  id: number.optional(),
  extension: number.optional(),
  secret: line(64)
    .refine((word) => kept(word) || SECRET.test(word), 'must be 8 to 64 visible characters without quotes')
    .optional(),
  password: oneLine(64).optional(),
  voicemail_vmpwd: anyOf([line(16), z.int().transform(String)])
    .refine((word) => kept(word) || /^\d{4,16}$/.test(word), 'must be 4 to 16 digits')
    .optional(),
});

/** Keeps the names of what is no field, so that the answer can say that it goes nowhere. */
const dataSchema = knownData.catchall(z.unknown()).transform((given) => {
  const isKnown = ([name]: [string, unknown]): boolean => Object.hasOwn(knownData.shape, name);
  const all = Object.entries(given);
  const unknown = all.filter((entry) => !isKnown(entry)).slice(0, MAX_UNKNOWN);
  return Object.fromEntries([
    ...all.filter(isKnown),
    ...unknown.map(([name]) => [name.slice(0, UNKNOWN_LETTERS), true] as const),
  ]) as z.output<typeof knownData>;
});

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0', ''];

/** Comes in a query, a body, or a column of CSV. */
const confirmation = anyOf([
  z.boolean(),
  z
    .string()
    .transform((word) => word.trim().toLowerCase())
    .refine((word) => YES.includes(word) || NO.includes(word), 'must be true or false')
    .transform((word) => YES.includes(word)),
]).meta({
  type: 'boolean',
  description: 'Whether the change may delete the messages and greetings of the mailbox, if the PBX cannot keep them',
});

const PURPOSE_WORDS = ['ip-phone', 'mobile-app', 'softphone'] as const;

/** The parameters of routes that take an extension. Other body fields are ignored. */
export const extensionShape = {
  data: dataSchema.optional(),
  discard_voicemail: confirmation.optional(),
  location: z
    .object({ name: oneLine() })
    .nullable()
    .optional()
    .meta({ description: 'Instead of location_id, if only one location has this name' }),
  location_id: optionalId().optional(),
  outbound_callerid: z
    .object({ name: oneLine(100), number: oneLine(50), value: oneLine() })
    .partial()
    .nullable()
    .optional(),
  purpose: z.enum(PURPOSE_WORDS).nullable().optional(),
  user: anyOf([
    z.object({ id: optionalId().optional(), work_email: optionalEmail.optional() }),
    z.string().transform((written): { id: string; work_email?: string } => ({ id: searchableId(written) })),
  ])
    .nullable()
    .optional(),
} as const;

const bodySchema = z.object(extensionShape);
export type ExtensionBody = z.output<typeof bodySchema>;

/** Reads a row of a bulk order. Returns an error message if it is invalid. */
export function readExtensionBody(value: unknown): ExtensionBody | string {
  const broken = brokenTexts(value);
  if (broken.length > 0) return sayIssues(broken, value);
  const read = bodySchema.safeParse(value);
  return read.success ? read.data : sayIssues(read.error.issues, value);
}

/** The number in a body: undefined if missing, an error message if `id` and `extension` differ. */
export function numberOf({ data }: ExtensionBody): number | undefined | string {
  const { id, extension } = (data ?? {}) as { id?: number; extension?: number };
  if (id !== undefined && extension !== undefined && id !== extension) return 'data.id and data.extension differ';
  return id ?? extension;
}

/** The plain fields: missing ones take the previous value for a change, the default for a replacement. */
export function dataFor(body: ExtensionBody, at: number, before?: ExtensionData): ExtensionData {
  const given = (body.data ?? {}) as Record<string, Value | undefined>;
  const name = String(given['name'] ?? before?.['name'] ?? at);
  const stored = before && withoutOwnCallerId(before, at);
  const merged = Object.fromEntries(
    Object.entries(FIELDS).map(([key, field]) => [key, given[key] ?? stored?.[key] ?? fallbackOf(field, at, name)]),
  );
  // Setting a voicemail address enables the mailbox unless the body says otherwise.
  const usual = before === undefined && merged['voicemail_email'] !== '' ? 'default' : merged['voicemail'];
  const voicemail = given['voicemail'] ?? VOICEMAIL_BY_ENABLE[String(given['voicemail_enable'])] ?? usual!;
  return {
    ...merged,
    name,
    voicemail,
    voicemail_enable: voicemail === 'novm' ? '' : 'yes',
    outboundcid: outboundId(body, String(merged['outboundcid'])),
  };
}

/** Two fields say the same; `voicemail` is the one that PBXs read. */
const VOICEMAIL_BY_ENABLE: Readonly<Record<string, string>> = { yes: 'default', '': 'novm' };

/** A caller id that was made of the name follows the name. */
function withoutOwnCallerId(before: ExtensionData, at: number): ExtensionData {
  const { callerid, ...others } = before;
  return callerid === fallbackOf(FIELDS['callerid']!, at, String(before['name'])) ? others : before;
}

/** The plain fields after a change. A replacement resets all but the display name. */
export function changedData(mode: 'replace' | 'merge', body: ExtensionBody, at: number, before: ExtensionData) {
  if (mode === 'merge') return dataFor(body, at, before);
  return dataFor({ ...body, data: { name: String(before['name']), ...body.data } }, at);
}

/** The names of the `data` fields that a body sets. A credential that is masked or empty is not set. */
export function sentFields({ data = {}, outbound_callerid: callerId }: ExtensionBody): string[] {
  const isSet = ([name, value]: [string, unknown]): boolean =>
    !(CREDENTIAL_FIELDS as readonly string[]).includes(name) || !kept(String(value));
  const names = Object.entries(data).filter(isSet);
  return [...names.map(([name]) => name), ...(callerId ? ['outboundcid'] : [])];
}

/** The fields of `data` that a body gives, with the caller id that it gives beside them. */
export function givenFields(body: ExtensionBody): Readonly<Record<string, unknown>> {
  const outboundcid = body.outbound_callerid ? { outboundcid: outboundId(body, '') } : {};
  return { ...body.data, ...outboundcid };
}

function outboundId({ outbound_callerid: given }: ExtensionBody, current: string): string {
  if (!given) return current;
  if (given.value && given.number === undefined && given.name === undefined) return given.value;
  const before = readCallerId(current);
  return writeCallerId(given.name ?? before.name, given.number ?? before.number);
}

/** Given credentials replace the stored ones; masked or missing ones keep them. */
export function credentialsFor(body: ExtensionBody, before: Credentials): Credentials {
  const given = (body.data ?? {}) as Record<string, string | undefined>;
  const pick = (name: (typeof CREDENTIAL_FIELDS)[number]) => {
    const word = given[name];
    return word === undefined || kept(word) ? before[name] : word;
  };
  return { secret: pick('secret'), password: pick('password'), voicemail_vmpwd: pick('voicemail_vmpwd') };
}

export const givesCredentials = ({ data = {} }: ExtensionBody): boolean =>
  CREDENTIAL_FIELDS.some((name) => {
    const word = (data as Record<string, string | undefined>)[name];
    return word !== undefined && !kept(word);
  });

export const purposeFor = ({ purpose }: ExtensionBody, before: ExtensionState['purpose'] = 'ip-phone') =>
  purpose === 'softphone' ? 'mobile-app' : (purpose ?? before);
