/**
 * What a PBX has beside its extensions, and orders change as they change those: ring groups, numbers from outside, and the
 * forwards of an extension. Each is data of its kind under a number.
 */
import type { CompanyId } from '../companies/company';
import type { ExtensionId } from '../extensions/extension';

/** A destination of calls on the instance. `busy` and `hangup` have no number. */
export const DESTINATION_TYPES = ['extension', 'ring_group', 'voicemail', 'busy', 'hangup'] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

export interface Destination {
  readonly type: DestinationType;
  readonly number: number | null;
}

/** As FreePBX calls them: all members at once, or one after the other. */
export const STRATEGIES = ['ringall', 'hunt'] as const;

export interface RingGroupData {
  readonly name: string;
  /** Extensions of the instance, and numbers outside. */
  readonly members: readonly string[];
  readonly strategy: (typeof STRATEGIES)[number];
  /** Seconds: for all, or for each. */
  readonly ring_time: number;
  /** Put before the caller's name. */
  readonly prefix: string;
  /** Where a call goes that nobody took. */
  readonly no_answer: Destination | null;
}

export interface NumberData {
  readonly name: string;
  readonly destination: Destination;
}

/** Each the number that calls go to; null: none. */
export interface ForwardsData {
  readonly do_not_disturb: boolean;
  readonly always: string | null;
  readonly busy: string | null;
  readonly no_answer: string | null;
}

export const NO_FORWARDS: ForwardsData = { do_not_disturb: false, always: null, busy: null, no_answer: null };

export interface ArrangementData {
  readonly 'ring-group': RingGroupData;
  readonly number: NumberData;
  readonly forwards: ForwardsData;
}

export type ArrangementKind = keyof ArrangementData;
export const ARRANGEMENT_KINDS = ['ring-group', 'number', 'forwards'] as const satisfies readonly ArrangementKind[];
/** Those that are made and deleted by orders. The forwards of an extension are there as long as it is. */
export type MadeKind = Exclude<ArrangementKind, 'forwards'>;

/** Who changed it last: an order, or somebody at the telephone. */
export type Source = 'order' | 'pbx';

export interface Arrangement<Kind extends ArrangementKind = ArrangementKind> {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly instance: string;
  readonly kind: Kind;
  /** Of a number from outside: its digits after the `+`. */
  readonly number: number;
  readonly extensionId: ExtensionId | null;
  readonly data: ArrangementData[Kind];
  readonly isVisible: boolean;
  readonly source: Source;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The destinations that an arrangement names. */
export function destinationsOf({ kind, data }: Pick<Arrangement, 'kind' | 'data'>): Destination[] {
  if (kind === 'forwards') return [];
  const found = kind === 'number' ? (data as NumberData).destination : (data as RingGroupData).no_answer;
  return found === null ? [] : [found];
}

/** Two instances on one PBX share its numbers from outside; everything else is the instance's own. */
export const claimOf = (kind: ArrangementKind, instance: { uuid: string; address: string }, number: number): string =>
  `${kind === 'number' ? hostOf(instance.address) : instance.uuid}/${number}`;

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** The same data, no matter in which order its names were written. */
export const sameForwards = (one: ForwardsData, other: ForwardsData): boolean =>
  (Object.keys(NO_FORWARDS) as (keyof ForwardsData)[]).every((name) => one[name] === other[name]);

/** How drift reports and messages name one. */
export const nameOf = (kind: ArrangementKind, number: number): string =>
  kind === 'number' ? `number +${number}` : `${kind.replace('-', ' ')} ${kind === 'forwards' ? 'of ' : ''}${number}`;
