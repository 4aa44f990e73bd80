/** Calls as the API shows them. */

export type Direction = 'internal' | 'inbound' | 'outbound' | 'emergency';

export interface Call {
  readonly _id: string;
  readonly direction: Direction;
  readonly from: string;
  readonly from_name: string;
  readonly dialled: string;
  readonly to: string;
  readonly answered_by: string;
  readonly outcome: 'answered' | 'voicemail' | 'busy' | 'unanswered' | 'cancelled' | 'failed';
  readonly started_at: string;
  readonly talk_seconds: number;
  readonly has_recording: boolean;
}

export interface LiveCall {
  readonly call_id: string;
  readonly pbx: string;
  readonly direction: Direction;
  readonly state: 'ringing' | 'answered';
  readonly from: string;
  readonly from_name: string;
  readonly dialled: string;
  readonly answered_by: string;
  readonly started_at: string;
}

export interface LiveCalls {
  readonly calls: readonly LiveCall[];
  readonly unknown: readonly string[];
}

/** Null: for ever. */
export interface CallRetention {
  readonly keep_days: number | null;
  readonly keep_recordings_days: number | null;
}

export interface Message {
  readonly id: string;
  readonly is_new: boolean;
  readonly from: string;
  readonly from_name: string;
  readonly at: string | null;
  readonly seconds: number;
}

/** `1:05`. */
export const lengthOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
