/** Moments as texts, in the time zone of the account. */
import { dateAndTimeOf, shortDayOf, timeOfDay } from '../../shared/texts/dates';
import { chat } from '../data/store';
import { knownZone } from './zoned-time';

/** The time zone that the user has set, else that of the browser. */
export function ownZone(): string {
  const { people, ownId } = chat();
  return knownZone(people.get(ownId)?.timezone ?? '');
}

/** The zone, if it is not that of the browser. */
export const foreignZone = (): string => (ownZone() === knownZone('') ? '' : ownZone());

/** `Friday, November 20, 2026 at 9:00 AM` */
export const momentText = (seconds: number): string => dateAndTimeOf(seconds, ownZone());
/** `9:00 AM` */
export const clockText = (seconds: number): string => timeOfDay(seconds, ownZone());
/** `Fri, Nov 20, 9:00 AM` */
export const shortText = (seconds: number): string => `${shortDayOf(seconds, ownZone())}, ${clockText(seconds)}`;
