/** Compiles ring groups and numbers from outside to what the dial plan of Partyline reads (config/asterisk). */
import { settingsText } from '../extensions/call-settings';
import type { Arrangement, Destination, MadeKind, NumberData, RingGroupData } from './arrangement';

/** The form of the settings. */
const FORM = 1;

/** A place in the dial plan. */
export function placeOf({ type, number }: Destination): string {
  switch (type) {
    case 'extension':
      return `partyline-ext,${number},1`;
    case 'voicemail':
      return `partyline-vm,u${number},1`;
    case 'ring_group':
      return `partyline-group,${number},1`;
    case 'busy':
      return 'partyline-end,busy,1';
    case 'hangup':
      return 'partyline-end,s,1';
  }
}

const leg = (member: string): string => `Local/${member}@partyline-leg/n`;

const groupSettings = ({ members, ring_time: time, strategy, prefix, no_answer: next }: RingGroupData) => ({
  v: FORM,
  fm: { list: members.map(leg).join('&'), time, strategy, ...(prefix === '' ? {} : { prefix }) },
  ...(next ? { noanswer: { dest: placeOf(next) } } : {}),
});

/** Of a number, with the company's space on the PBX. */
export const arrangementSettings = (
  { kind, data }: Pick<Arrangement<MadeKind>, 'kind' | 'data'>,
  space: string,
): Readonly<Record<string, unknown>> =>
  kind === 'number'
    ? { v: FORM, space, dest: placeOf((data as NumberData).destination) }
    : groupSettings(data as RingGroupData);

export const arrangementText = (made: Pick<Arrangement<MadeKind>, 'kind' | 'data'>, space: string): string =>
  settingsText(arrangementSettings(made, space));
