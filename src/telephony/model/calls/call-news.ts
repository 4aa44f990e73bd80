/** What is to be told of calls under way: how they differ from what was told before. */
import type { CompanyEvents } from '../companies/company-event';
import type { EndedCall, LiveCall } from './live-calls';

export interface CallNews {
  /** To be stored. */
  readonly changed: readonly LiveCall[];
  /** To be deleted. */
  readonly over: readonly string[];
  readonly events: readonly CallEvent[];
}

type Name = 'call.started' | 'call.answered' | 'call.ended';
export type CallEvent = { readonly [N in Name]: { readonly name: N; readonly payload: CompanyEvents[N] } }[Name];

export interface CallsSeen {
  readonly pbx: string;
  /** By call id, as they were told before. */
  readonly known: ReadonlyMap<string, LiveCall>;
  readonly live: readonly LiveCall[];
  readonly ended: readonly EndedCall[];
  /** For calls that ended while nobody listened. */
  readonly now: Date;
}

export function callNews({ pbx, known, live, ended, now }: CallsSeen): CallNews {
  const changed: LiveCall[] = [];
  const over: string[] = [];
  const events: CallEvent[] = [];
  const tell = (call: LiveCall): void => {
    const before = known.get(call.callId);
    if (!before)
      events.push({ name: 'call.started', payload: { ...partyOf(pbx, call), started_at: iso(call.startedAt) } });
    if (call.answeredAt && !before?.answeredAt) {
      const by = call.answeredBy === '' ? null : Number(call.answeredBy);
      const payload = { ...partyOf(pbx, call), answered_by: by, answered_at: iso(call.answeredAt) };
      events.push({ name: 'call.answered', payload });
    }
  };
  const end = (call: LiveCall, at: Date): void => {
    const payload = { ...partyOf(pbx, call), was_answered: call.answeredAt !== null, ended_at: iso(at) };
    events.push({ name: 'call.ended', payload });
    if (known.has(call.callId)) over.push(call.callId);
  };
  for (const call of ended) {
    tell(call);
    end(call, call.endedAt);
  }
  for (const call of live) {
    tell(call);
    if (!isSame(known.get(call.callId), call)) changed.push(call);
  }
  const seen = new Set([...live, ...ended].map(({ callId }) => callId));
  for (const call of known.values()) if (!seen.has(call.callId)) end(call, now);
  return { changed, over, events };
}

const iso = (at: Date): string => at.toISOString();

const partyOf = (pbx: string, { callId, direction, extensions }: LiveCall) => ({
  pbx,
  call_id: callId,
  direction,
  extensions: [...extensions],
});

const isSame = (before: LiveCall | undefined, call: LiveCall): boolean =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(call);
