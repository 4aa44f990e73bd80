/**
 * The forms in which fields of `data` name destinations, numbers, lists and options, as FreePBX writes them, and what they
 * are in the dial plan of Partyline. Undefined: not of that form. Only digits, `+`, `*` and words of the dial plan come out.
 */
import { readCallerId } from './extension';

const DESTINATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:from-did-direct|ext-local),(\d{1,15}),1$/, 'partyline-ext,$1,1'],
  [/^ext-local,vm([ubs]\d{1,15}),1$/, 'partyline-vm,$1,1'],
  [/^ext-group,(\d{1,15}),1$/, 'partyline-group,$1,1'],
  // As if there were none.
  [/^ext-local,\d{1,15},dest$/, ''],
  [/^app-blackhole,hangup,1$/, 'partyline-end,s,1'],
  [/^app-blackhole,busy,1$/, 'partyline-end,busy,1'],
];

/** An empty destination is one: nothing. */
export function destinationOf(value: string): string | undefined {
  const given = value.trim();
  if (given === '') return '';
  const found = DESTINATIONS.find(([form]) => form.test(given));
  return found && given.replace(found[0], found[1]);
}

const NUMBER = /^\+?\d{1,20}$/;

/** A number as people write it: spaces, brackets, dots and hyphens are left out. */
export function numberOf(value: string): string | undefined {
  const digits = value.replaceAll(/[\s().-]/g, '');
  return digits === '' || NUMBER.test(digits) ? digits : undefined;
}

export interface ShownCaller {
  readonly num: string;
  readonly name: string;
}

/** `"Name" <number>`, or a number. */
export function callerOf(value: string): ShownCaller | undefined {
  const { name, number } = readCallerId(value);
  const num = numberOf(number);
  return num === undefined || (num === '' && name !== '') ? undefined : { num, name };
}

const MEMBER = /^[+*]?\d[\d*]{0,19}$/;

/** `101-103-2317094162#`: numbers with a `#` are outside. */
export function membersOf(value: string): string[] | undefined {
  const members = value
    .split(/[-\s,]+/)
    .filter((each) => each !== '')
    .map((each) => each.replace(/#$/, ''));
  return members.every((each) => MEMBER.test(each)) ? members : undefined;
}

/** The options of a mailbox that lead nowhere and run nothing. */
const YES_NO = [
  'attach',
  'delete',
  'envelope',
  'forcegreetings',
  'forcename',
  'hidefromdir',
  'leaveurgent',
  'messagewrap',
  'moveheard',
  'nextaftercmd',
  'operator',
  'review',
  'saycid',
  'sayduration',
  'tempgreetwarn',
];
const OPTIONS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(YES_NO.map((name) => [name, /^(?:yes|no)$/])),
  ...Object.fromEntries(['saydurationm', 'maxmsg', 'maxsecs', 'minsecs'].map((name) => [name, /^\d{1,4}$/])),
  language: /^[a-z]{2,3}(?:_[A-Z]{2})?$/,
  tz: /^[\w/+-]{1,40}$/,
};

/** `attach=no|saycid=no`. */
export function optionsOf(value: string): string | undefined {
  const options = value
    .split('|')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const isKnown = (option: string): boolean => {
    const [name = '', ...rest] = option.split('=');
    return Object.hasOwn(OPTIONS, name) && OPTIONS[name]!.test(rest.join('='));
  };
  return options.every(isKnown) ? options.join('|') : undefined;
}
