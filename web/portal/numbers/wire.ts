/** Types of what a PBX has beside extensions, with only the fields that the portal uses. */

export interface Destination {
  readonly type: 'extension' | 'ring_group' | 'voicemail' | 'busy' | 'hangup';
  readonly number: number | null;
}

export interface RingGroup {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly members: readonly string[];
  readonly strategy: 'ringall' | 'hunt';
  readonly ring_time: number;
  readonly prefix: string;
  readonly no_answer: Destination | null;
}

export interface OutsideNumber {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly destination: Destination;
}

export interface Forwards {
  readonly do_not_disturb: boolean;
  readonly always: string | null;
  readonly busy: string | null;
  readonly no_answer: string | null;
  readonly source: 'order' | 'pbx' | null;
  readonly updated: string | null;
}

export type Arrangement = 'ring-group' | 'number' | 'forwards';
