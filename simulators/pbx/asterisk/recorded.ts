// Recorded answers of a real Asterisk (recorded.json, by test/support/telephony/asterisk/record.js), and what follows from them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const TYPES = ['auth', 'aor', 'endpoint'] as const;
export type ObjectType = (typeof TYPES)[number];
export type Attributes = Record<string, string>;

export interface Step {
  /** Method and path below /ari; `P/` stands for the push configuration of PJSIP. */
  readonly request?: string;
  readonly fields?: Attributes;
  /** A malformed body. */
  readonly json?: unknown;
  /** A body that is not even JSON. */
  readonly raw?: string;
  /** Other credentials than those that may write. */
  readonly as?: 'nobody' | 'reader';
  /** What is done to Asterisk, in place of a request. */
  readonly then?: 'restart';
  readonly status?: number;
  /** Attributes that are not at their defaults. */
  readonly shown?: Attributes;
  /** Any other body. */
  readonly answer?: unknown;
  /** Asterisk died, and the connection with it. */
  readonly reset?: true;
}

export interface Recorded {
  product: string;
  starting: { page: string; notBooted: object };
  defaults: Record<ObjectType, Attributes>;
  readonly scenarios: readonly {
    readonly title: string;
    readonly keptIn: 'astdb' | 'memory';
    readonly steps: readonly Step[];
  }[];
}

export const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded.json'), 'utf8')) as Recorded;

/** Thrown for requests whose real answer was never recorded. */
export class NeverRecorded extends Error {}

export const isType = (text: string | undefined): text is ObjectType => TYPES.some((type) => type === text);

/** Only objects kept in astdb are simulated. Others behave differently and are tested on a real Asterisk. */
const steps = recorded.scenarios.filter(({ keptIn }) => keptIn === 'astdb').flatMap((scenario) => scenario.steps);

/** Asterisk accepts any text for these and shows it unchanged. */
const TEXTS: Record<ObjectType, ReadonlySet<string>> = {
  auth: new Set(['username', 'password']),
  aor: new Set(['mailboxes']),
  endpoint: new Set([
    'aors',
    'auth',
    'context',
    'accountcode',
    'moh_suggest',
    'mailboxes',
    'transport',
    'callerid_tag',
  ]),
};
const NUMBERS = new Set(['max_contacts', 'maximum_expiration', 'qualify_frequency', 'device_state_busy_at']);
const GROUPS = new Set(['named_call_group', 'named_pickup_group']);

/** Sent values and how they were shown; null for refused ones. */
const seen = new Map<string, string | null>();
for (const step of steps) {
  const [, type] = /^PUT P\/(\w+)\//.exec(step.request ?? '') ?? [];
  if (isType(type)) for (const [key, shown] of valuesIn(type, step)) seen.set(key, shown);
}

function valuesIn(type: ObjectType, { fields = {}, status, shown = {} }: Step): [string, string | null][] {
  const sent = Object.entries(fields);
  // Asterisk does not say which of several values it refused.
  if (status !== 200) return status === 400 && sent.length === 1 ? sent.map((field) => [keyOf(type, field), null]) : [];
  const { [type]: usual } = recorded.defaults;
  return sent.map(([name, value]) => [keyOf(type, [name, value]), shown[name] ?? usual[name] ?? '']);
}

function keyOf(type: ObjectType, [name, value]: readonly [string, string]): string {
  return JSON.stringify([type, name, value]);
}

/** What Asterisk shows for a value; null if it refuses the value. */
export function shownFor(type: ObjectType, [name, value]: readonly [string, string]): string | null {
  if (recorded.defaults[type][name] === undefined) return null;
  if (name === 'callerid') return shownCallerId(value);
  if (TEXTS[type].has(name)) return value;
  const known = seen.get(keyOf(type, [name, value]));
  if (known !== undefined) return known;
  if (NUMBERS.has(name) && /^\d{1,9}$/.test(value)) return String(Number(value));
  if (GROUPS.has(name)) return shownGroups(value);
  throw new NeverRecorded(`${type}: ${name} = "${value}"`);
}

const NAME_BYTES = 79;
export const UNKNOWN_CALLER = '<unknown>';

/** Thrown where Asterisk answers "Allocation failed", because it cannot show a truncated character. */
export class CannotShow extends Error {}

function shownCallerId(value: string): string {
  if (value === '') return UNKNOWN_CALLER;
  const [, name, number] = /^"([^"\\]*)" <(\d+)>$/.exec(value) ?? [];
  if (name === undefined) throw new NeverRecorded(`endpoint: callerid = ${value}`);
  if (name === '') return number ?? '';
  const bytes = Buffer.from(name);
  if (bytes.length <= NAME_BYTES) return value;
  const cut = bytes.subarray(0, NAME_BYTES).toString();
  if (cut.endsWith('\ufffd')) throw new CannotShow();
  return `"${cut}" <${number}>`;
}

const shownGroups = (value: string): string =>
  value
    .split(',')
    .map((group) => group.trim())
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .join(', ');

const ALL_CODECS = (seen.get(keyOf('endpoint', ['allow', '!all,all'])) ?? '').slice(1, -1).split('|');

/** The codecs after a change by `allow` or `disallow`; null if Asterisk refuses it. */
export function changedCodecs(before: string, [name, value]: readonly [string, string]): string | null {
  let codecs = before === NO_CODECS ? [] : before.slice(1, -1).split('|');
  for (const word of value.toLowerCase().split(',')) {
    const isTaken = name === 'disallow' || word.startsWith('!');
    const codec = word.trim().replace(/^!/, '').replace(/:\d+$/, '');
    if (codec !== 'all' && !ALL_CODECS.includes(codec)) return null;
    const meant = codec === 'all' ? ALL_CODECS : [codec];
    codecs = isTaken ? codecs.filter((each) => !meant.includes(each)) : [...new Set([...codecs, ...meant])];
  }
  return codecs.length === 0 ? NO_CODECS : `(${codecs.join('|')})`;
}

export const NO_CODECS = '(nothing)';

/** The transports that the recorded Asterisk had, by name. */
export const transports: ReadonlyMap<string, Attributes> = new Map(
  steps.flatMap(({ request = '', shown }) => {
    const [, name] = /^GET P\/transport\/(.+)$/.exec(request) ?? [];
    return name !== undefined && shown ? [[name, shown] as const] : [];
  }),
);

/** Requests whose answer never changes: refusals, and information about Asterisk itself. */
export function constantAnswer(method: string, path: string): { status: number; body: unknown } {
  const short = path.replace('/ari/asterisk/config/dynamic/res_pjsip/', 'P/').replace(/^\/ari\//, '/');
  const found = steps.find((step) => step.request === `${method} ${short}` && step.as === undefined);
  if (found?.status === undefined) throw new NeverRecorded(`${method} ${path}`);
  return { status: found.status, body: found.answer };
}
