/** Follow-me of an extension on a FreePBX, by the mutations of its module findmefollow, which updateExtension deletes. */
import { fallbackOf, FIELDS } from '../../../model/extensions/extension-fields';
import type { Held } from '../driver';

type Value = string | number | boolean;
export type ShownFollowMe = Readonly<Record<string, string | number | boolean | null>>;

interface Setting {
  /** Name in `data`, without its prefix. */
  readonly field: string;
  /** Name in updateFollowMe and fetchFollowMe. */
  readonly input: string;
  /** As it is sent. */
  readonly sent: (value: unknown, number: number) => Value;
  /** The same of what was ordered and of what is shown. */
  readonly plain: (value: unknown, number: number) => Value;
}

const PREFIX = 'findmefollow_';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => Number(value ?? 0) || 0;
const isOn = (value: unknown): boolean => value === true;

const setting = (field: string, input: string, sent: Setting['sent'], plain = sent): Setting => ({
  field,
  input,
  sent,
  plain,
});

/** The names of the API's enumerations have no hyphens. */
const strategy = (value: unknown): string => text(value).replaceAll('-', '');

/** FreePBX puts a `#` behind what is no extension, and would fail without any member. */
const members = (value: unknown, number: number): string[] => {
  const found = text(value)
    .split(/[-\s,]+/)
    .map((member) => member.replaceAll(/[^0-9*+#]/g, ''))
    .filter((member) => member !== '');
  return found.length === 0 ? [String(number)] : found;
};

/** As without follow-me: the only way to say so. */
const place = (value: unknown, number: number): string => text(value) || `ext-local,${number},dest`;

const digits = (value: unknown): string => text(value).replaceAll(/[^0-9+]/g, '');

const SETTINGS: readonly Setting[] = [
  setting('strategy', 'strategy', strategy),
  setting('grptime', 'ringTime', count),
  setting('grppre', 'followMePrefix', text),
  setting(
    'grplist',
    'followMeList',
    (value, number) => members(value, number).join('-'),
    (value, number) => members(value, number).join('-').replaceAll('#', ''),
  ),
  setting('postdest', 'noAnswerDestination', place),
  setting('dring', 'alertInfo', text),
  setting('needsconf', 'confirmCalls', isOn),
  setting('ringing', 'ringingMusic', text),
  setting('pre_ring', 'initialRingTime', count),
  setting('changecid', 'externalCallerIdMode', (value) => text(value) || 'default'),
  setting('fixedcid', 'fixedCallerId', digits),
];

/** The fields of `data` that are carried. */
export const FOLLOW_ME_FIELDS: readonly string[] = ['enabled', ...SETTINGS.map(({ field }) => field)].map(
  (field) => PREFIX + field,
);

/** What to ask of `fetchFollowMe`. */
export const FOLLOW_ME_SHOWN = ['enabled', ...SETTINGS.map(({ input }) => input)].join(' ');

const ENABLED = `${PREFIX}enabled`;

const isUsual = ({ number, [PREFIX + 'enabled']: enabled, ...extension }: Held): boolean =>
  text(enabled) === '' &&
  SETTINGS.every(({ field, plain }) => {
    const name = PREFIX + field;
    const usual = fallbackOf(FIELDS[name] ?? { fallback: '' }, number, '');
    return !(name in extension) || plain(extension[name], number) === plain(usual, number);
  });

/** All of it is sent each time. */
export const followMeInput = (extension: Held) => ({
  extensionId: String(extension.number),
  enabled: extension[ENABLED] === 'yes',
  ...Object.fromEntries(
    SETTINGS.map(({ field, input, sent }) => [input, sent(extension[PREFIX + field], extension.number)]),
  ),
});

/** What `get` shows of it. Nobody has set any: then it is only not enabled. */
export const shownFollowMe = (extension: Held): Readonly<Record<string, Value>> =>
  isUsual(extension)
    ? { [ENABLED]: '' }
    : {
        [ENABLED]: extension[ENABLED] === 'yes' ? 'yes' : '',
        ...Object.fromEntries(
          SETTINGS.map(({ field, plain }) => [PREFIX + field, plain(extension[PREFIX + field], extension.number)]),
        ),
      };

export const heldFollowMe = (shown: ShownFollowMe | undefined, number: number): Readonly<Record<string, Value>> =>
  shown === undefined
    ? { [ENABLED]: '' }
    : {
        [ENABLED]: shown['enabled'] === true ? 'yes' : '',
        ...Object.fromEntries(SETTINGS.map(({ field, input, plain }) => [PREFIX + field, plain(shown[input], number)])),
      };

/** The first field that an order sets, and that says something. */
export const setFollowMe = (extension: Held, before: Readonly<Record<string, unknown>>): string | undefined =>
  isUsual(extension)
    ? undefined
    : FOLLOW_ME_FIELDS.find((name) => {
        const usual = fallbackOf(FIELDS[name] ?? { fallback: '' }, extension.number, '');
        return extension[name] !== (before[name] ?? usual);
      });
