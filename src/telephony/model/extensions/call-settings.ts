/**
 * Compiles the fields of an extension to what the dial plan of Partyline reads (config/asterisk), and to its mailbox.
 * What is not of a form that the dial plan knows is left out: orders that set it are refused before.
 */
import { callerOf, destinationOf, membersOf, numberOf, optionsOf, type ShownCaller } from './call-forms';

type Fields = Readonly<Record<string, unknown>>;
export type CallSettings = Readonly<Record<string, unknown>>;

/** A variable of the dial plan holds 4095 bytes, and cuts what is longer. */
export const MAX_SETTINGS_BYTES = 3500;

/** The form of the settings. */
export const SETTINGS_FORM = 1;

const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
const number = (fields: Fields, name: string): number => Number(text(fields, name)) || 0;

/** Without the entries that say nothing. Undefined if nothing is left. */
function said(entries: Readonly<Record<string, unknown>>): CallSettings | undefined {
  const left = Object.entries(entries).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

const turned = (fields: Fields, way: 'noanswer' | 'busy' | 'chanunavail', dest?: string) =>
  said({ dest: dest || destinationOf(text(fields, `${way}_dest`)), cid: text(fields, `${way}_cid`) });

const caller = (fields: Fields, name: string): ShownCaller | undefined => {
  const found = callerOf(text(fields, name));
  return found?.num ? found : undefined;
};

/** Above nothing: record. Below: do not. The stronger side of a call wins, and in a draw nothing is recorded. */
const ALWAYS = 100;
const WISHES: Readonly<Record<string, (priority: number) => number>> = {
  force: () => ALWAYS,
  never: () => -ALWAYS,
  yes: (priority) => priority + 1,
  no: (priority) => -(priority + 1),
};

function recording(fields: Fields): CallSettings | undefined {
  const wish = (way: string) => WISHES[text(fields, `recording_${way}`)]?.(number(fields, 'recording_priority'));
  return said({
    inint: wish('in_internal'),
    inext: wish('in_external'),
    outint: wish('out_internal'),
    outext: wish('out_external'),
  });
}

const leg = (member: string): string => `Local/${member}@partyline-leg/n`;

function followMe(fields: Fields): CallSettings | undefined {
  if (text(fields, 'findmefollow_enabled') !== 'yes') return undefined;
  const isFixed = text(fields, 'findmefollow_changecid') === 'fixed';
  return said({
    on: 1,
    list: (membersOf(text(fields, 'findmefollow_grplist')) ?? []).map(leg).join('&'),
    time: number(fields, 'findmefollow_grptime'),
    pre: number(fields, 'findmefollow_pre_ring'),
    prefix: text(fields, 'findmefollow_grppre'),
    strategy: text(fields, 'findmefollow_strategy').startsWith('hunt') ? 'hunt' : undefined,
    confirm: fields['findmefollow_needsconf'] === true ? 1 : undefined,
    cid: isFixed ? numberOf(text(fields, 'findmefollow_fixedcid')) : undefined,
  });
}

/** Where a call goes that nobody took. FreePBX writes `ext-local,N,dest` for: as without follow-me. */
const afterFollowMe = (fields: Fields): string | undefined =>
  text(fields, 'findmefollow_enabled') === 'yes' ? destinationOf(text(fields, 'findmefollow_postdest')) : undefined;

export const hasMailbox = (fields: Fields): boolean => text(fields, 'voicemail') === 'default';

export const callSettings = (fields: Fields): CallSettings =>
  said({
    v: SETTINGS_FORM,
    ring: number(fields, 'ringtimer'),
    // Zero would say nothing here.
    cw: text(fields, 'callwaiting_enable').toUpperCase() === 'ENABLED' ? undefined : '0',
    limit: number(fields, 'concurrency_limit'),
    intercom: text(fields, 'intercom') === 'enabled' ? 1 : undefined,
    auto: text(fields, 'answermode') === 'intercom' ? 1 : undefined,
    noanswer: turned(fields, 'noanswer', afterFollowMe(fields)),
    busy: turned(fields, 'busy'),
    unavail: turned(fields, 'chanunavail'),
    ocid: caller(fields, 'outboundcid'),
    ecid: caller(fields, 'emergency_cid'),
    shown: numberOf(text(fields, 'cid_masquerade')),
    fm: followMe(fields),
    rec: recording(fields),
    vm: hasMailbox(fields) ? 1 : undefined,
  })!;

/** As one text that does not depend on the order of names. */
export function settingsText(settings: CallSettings): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value;
  return JSON.stringify(sorted(settings));
}

/** Fields of a mailbox are separated by commas, which cannot be escaped; several addresses by bars. */
const plain = (value: string): string => value.replaceAll(',', ' ').replaceAll(/\s+/g, ' ').trim();
const addresses = (value: string): string =>
  value
    .split(/[,;|]/)
    .map((each) => plain(each))
    .filter((each) => each !== '')
    .join('|');

/** What follows the PIN in the line of a mailbox. Undefined if the extension has none. */
export function mailboxText(fields: Fields): string | undefined {
  if (!hasMailbox(fields)) return undefined;
  return [
    plain(text(fields, 'name')),
    addresses(text(fields, 'voicemail_email')),
    addresses(text(fields, 'voicemail_pager')),
    optionsOf(text(fields, 'voicemail_options')) ?? '',
  ].join(',');
}
