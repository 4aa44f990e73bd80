/** A line: what is known of an extension on its PBX. */

export const CALL_STATUSES = ['idle', 'ringing', 'talking', 'busy', 'hold', 'offline', 'unknown'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export interface Line {
  readonly callStatus: CallStatus;
  readonly isRegistered: boolean;
}

const STATUSES: Readonly<Record<string, CallStatus>> = {
  NOT_INUSE: 'idle',
  RINGING: 'ringing',
  INUSE: 'talking',
  // A second call rings.
  RINGINUSE: 'talking',
  BUSY: 'busy',
  ONHOLD: 'hold',
  UNAVAILABLE: 'offline',
  INVALID: 'offline',
};

/** By the state of the device, as Asterisk names it. */
export function lineOf(deviceState: string): Line {
  const callStatus = STATUSES[deviceState] ?? 'unknown';
  return { callStatus, isRegistered: callStatus !== 'offline' && callStatus !== 'unknown' };
}

/** Whether a user of this line is shown as being on the telephone. */
export const isOnPhone = ({ callStatus }: Pick<Line, 'callStatus'>): boolean =>
  callStatus === 'talking' || callStatus === 'busy' || callStatus === 'hold';

export interface LineNews {
  readonly number: number;
  readonly line: Line;
  /** Undefined if it did not change. */
  readonly registration: 'registered' | 'unregistered' | undefined;
}

/** What differs from what was known. Of a PBX that nobody has listened to before, no registration is news. */
export function lineNews(
  known: ReadonlyMap<number, Line>,
  now: ReadonlyMap<number, Line>,
  { isFirst = false } = {},
): LineNews[] {
  return [...now].flatMap(([number, line]) => {
    const before = known.get(number);
    if (before?.callStatus === line.callStatus && before.isRegistered === line.isRegistered) return [];
    // What was not there was not registered.
    const wasRegistered = before?.isRegistered ?? (isFirst && line.isRegistered);
    const isChange = wasRegistered !== line.isRegistered;
    const registration = isChange ? (line.isRegistered ? 'registered' : 'unregistered') : undefined;
    return [{ number, line, registration }] as const;
  });
}
