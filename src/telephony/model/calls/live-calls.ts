/**
 * Calls under way, as a PBX's events tell of them. Legs are joined by who dials whom, so no call needs to be asked about
 * while it is under way. Only calls that an extension of ours takes part in are shown: others of the same PBX are not.
 */
import { endpointOf, localPairOf, momentOf, type AriChannel, type AriEvent } from './ari-events';

export interface LiveCall {
  /** The id of the channel that it began with: the same as in the history. */
  readonly callId: string;
  readonly direction: 'internal' | 'inbound' | 'outbound';
  readonly from: string;
  readonly fromName: string;
  readonly dialled: string;
  readonly answeredBy: string;
  readonly extensions: readonly number[];
  readonly startedAt: Date;
  readonly answeredAt: Date | null;
}

export interface EndedCall extends LiveCall {
  readonly endedAt: Date;
}

/** A channel that takes part in a call. */
interface Leg {
  readonly channel: AriChannel;
  readonly number: number | undefined;
  isUp: boolean;
  /** The id of its call. */
  callId: string;
}

interface Call {
  readonly legs: Set<string>;
  readonly extensions: Set<number>;
  readonly root: AriChannel;
  readonly startedAt: Date;
  hasOutside: boolean;
  answeredAt: Date | null;
  answeredBy: string;
}

const MAX_NUMBER = 40;
const MAX_NAME = 80;
/** Also the channels of other companies on the same PBX. */
const MAX_LEGS = 20_000;

export class LiveCalls {
  readonly #legs = new Map<string, Leg>();
  readonly #calls = new Map<string, Call>();
  /** One half of each Local channel, by what both halves are called. */
  readonly #halves = new Map<string, Leg>();
  readonly #ended: EndedCall[] = [];
  readonly #numberAt: (endpoint: string) => number | undefined;
  readonly #most: number;

  /** `most`: how many are shown. */
  constructor(numberAt: (endpoint: string) => number | undefined, most: number) {
    this.#numberAt = numberAt;
    this.#most = most;
  }

  /** A channel that was there before anybody listened. */
  add(channel: AriChannel, linkedId: string, at: Date): void {
    const leg = this.#enter(channel, at);
    if (leg && leg.callId !== linkedId) this.#join(leg, this.#callFor(linkedId, channel, at));
    if (leg && channel.state === 'Up') this.#answer(leg, at);
  }

  take(event: AriEvent): void {
    switch (event.type) {
      case 'ChannelCreated':
        this.#enter(event.channel, event.at);
        return;
      case 'ChannelStateChange':
        if (event.channel.state === 'Up') this.#answer(this.#enter(event.channel, event.at), event.at);
        return;
      case 'Dial': {
        const peer = this.#enter(event.peer, event.at);
        const caller = event.caller && this.#enter(event.caller, event.at);
        if (peer && caller) this.#join(peer, caller.callId);
        return;
      }
      case 'ChannelDestroyed':
        this.#leave(event.channel.id, event.at);
        return;
      case 'DeviceStateChanged':
      case 'ChannelUserevent':
    }
  }

  /** Oldest first. */
  list(): LiveCall[] {
    const shown: LiveCall[] = [];
    for (const [callId, call] of this.#calls) {
      if (shown.length === this.#most) break;
      if (call.extensions.size > 0) shown.push(this.#shown(callId, call));
    }
    return shown;
  }

  /** Those that have ended since the last time. */
  takeEnded(): EndedCall[] {
    return this.#ended.splice(0);
  }

  #enter(channel: AriChannel, at: Date): Leg | undefined {
    const known = this.#legs.get(channel.id);
    if (known || !/^(PJSIP|Local)\//.test(channel.name) || this.#legs.size >= MAX_LEGS) return known;
    const endpoint = endpointOf(channel.name);
    const number = endpoint === undefined ? undefined : this.#numberAt(endpoint);
    const pair = localPairOf(channel.name);
    const half = pair === undefined ? undefined : this.#halves.get(pair);
    const leg: Leg = { channel, number, isUp: false, callId: half?.callId ?? channel.id };
    this.#legs.set(channel.id, leg);
    if (pair !== undefined && !half) this.#halves.set(pair, leg);
    const began = channel.creationtime === undefined ? at : momentOf(channel.creationtime);
    this.#callFor(leg.callId, channel, began);
    this.#count(leg, endpoint !== undefined && number === undefined);
    return leg;
  }

  #callFor(callId: string, root: AriChannel, startedAt: Date): string {
    if (!this.#calls.has(callId)) {
      this.#calls.set(callId, {
        legs: new Set(),
        extensions: new Set(),
        root,
        startedAt,
        hasOutside: false,
        answeredAt: null,
        answeredBy: '',
      });
    }
    return callId;
  }

  #count(leg: Leg, isOutside: boolean): void {
    const call = this.#calls.get(leg.callId)!;
    call.legs.add(leg.channel.id);
    if (leg.number !== undefined) call.extensions.add(leg.number);
    call.hasOutside ||= isOutside;
  }

  /** All legs of one call become legs of the other. */
  #join({ callId: from }: Leg, into: string): void {
    if (from === into) return;
    const joined = this.#calls.get(from);
    const call = this.#calls.get(into);
    if (!joined || !call) return;
    this.#calls.delete(from);
    for (const id of joined.legs) {
      call.legs.add(id);
      const leg = this.#legs.get(id);
      if (leg) leg.callId = into;
    }
    for (const number of joined.extensions) call.extensions.add(number);
    call.hasOutside ||= joined.hasOutside;
  }

  /**
   * A call is answered once its caller is: by a phone or, without one, by a voice. A caller whom the PBX has called, as
   * for a click, is there before: such a call is answered by another.
   */
  #answer(leg: Leg | undefined, at: Date): void {
    if (!leg) return;
    leg.isUp = true;
    const call = this.#calls.get(leg.callId);
    if (!call || call.answeredAt) return;
    const isCaller = leg.channel.id === leg.callId;
    if (isCaller === (call.root.state === 'Down')) return;
    call.answeredAt = at;
    for (const id of call.legs) {
      const other = this.#legs.get(id);
      if (id !== leg.callId && other?.isUp && other.number !== undefined) call.answeredBy = String(other.number);
    }
  }

  #leave(id: string, at: Date): void {
    const leg = this.#legs.get(id);
    if (!leg) return;
    this.#legs.delete(id);
    const pair = localPairOf(leg.channel.name);
    if (pair !== undefined) this.#halves.delete(pair);
    const call = this.#calls.get(leg.callId);
    call?.legs.delete(id);
    if (!call || call.legs.size > 0) return;
    this.#calls.delete(leg.callId);
    if (call.extensions.size > 0 && this.#ended.length < this.#most) {
      this.#ended.push({ ...this.#shown(leg.callId, call), endedAt: at });
    }
  }

  #shown(callId: string, call: Call): LiveCall {
    const { root, extensions, hasOutside, startedAt, answeredAt, answeredBy } = call;
    const endpoint = endpointOf(root.name);
    const caller = endpoint === undefined ? undefined : this.#numberAt(endpoint);
    const outward = hasOutside ? 'outbound' : 'internal';
    return {
      callId,
      direction: caller === undefined ? 'inbound' : outward,
      from: (caller === undefined ? (root.caller?.number ?? '') : String(caller)).slice(0, MAX_NUMBER),
      fromName: (root.caller?.name ?? '').slice(0, MAX_NAME),
      dialled: (root.dialplan?.exten ?? '').slice(0, MAX_NUMBER),
      answeredBy,
      extensions: [...extensions].sort((one, other) => one - other),
      startedAt,
      answeredAt,
    };
  }
}
