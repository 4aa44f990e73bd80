/** The events of Asterisk's REST interface that tell of lines and calls. Everything else is dropped. */

export interface AriChannel {
  readonly id: string;
  /** Such as `PJSIP/101-0000001f`, or `Local/103@partyline-leg-00000001;1`. */
  readonly name: string;
  /** `Ring`: it calls. `Down`, `Ringing`: it is called. `Up`: it is answered. */
  readonly state: string;
  readonly caller?: { readonly name?: string; readonly number?: string };
  readonly dialplan?: { readonly exten?: string };
  readonly creationtime?: string;
}

export type AriEvent =
  | {
      readonly type: 'ChannelCreated' | 'ChannelStateChange' | 'ChannelDestroyed';
      readonly at: Date;
      readonly channel: AriChannel;
    }
  | { readonly type: 'Dial'; readonly at: Date; readonly caller: AriChannel | undefined; readonly peer: AriChannel }
  | { readonly type: 'DeviceStateChanged'; readonly at: Date; readonly endpoint: string; readonly state: string }
  | { readonly type: 'ChannelUserevent'; readonly at: Date; readonly name: string; readonly fields: Fields };

type Fields = Readonly<Record<string, unknown>>;

export const LISTENED = [
  'ChannelCreated',
  'ChannelStateChange',
  'ChannelDestroyed',
  'Dial',
  'DeviceStateChanged',
  'ChannelUserevent',
] as const;

interface Written {
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly channel?: unknown;
  readonly caller?: unknown;
  readonly peer?: unknown;
  readonly device_state?: { readonly name?: unknown; readonly state?: unknown };
  readonly eventname?: unknown;
  readonly userevent?: unknown;
}

type Reader = (written: Written, at: Date) => AriEvent | undefined;

const ofChannel =
  (type: 'ChannelCreated' | 'ChannelStateChange' | 'ChannelDestroyed'): Reader =>
  ({ channel }, at) =>
    isChannel(channel) ? { type, at, channel } : undefined;

const READERS: Readonly<Record<(typeof LISTENED)[number], Reader>> = {
  ChannelCreated: ofChannel('ChannelCreated'),
  ChannelStateChange: ofChannel('ChannelStateChange'),
  ChannelDestroyed: ofChannel('ChannelDestroyed'),
  Dial: ({ caller, peer }, at) =>
    isChannel(peer) ? { type: 'Dial', at, caller: isChannel(caller) ? caller : undefined, peer } : undefined,
  DeviceStateChanged: ({ device_state: { name, state } = {} }, at) => {
    const [, endpoint] = /^PJSIP\/(.+)$/.exec(typeof name === 'string' ? name : '') ?? [];
    return endpoint !== undefined && typeof state === 'string'
      ? { type: 'DeviceStateChanged', at, endpoint, state }
      : undefined;
  },
  ChannelUserevent: ({ eventname: name, userevent: fields }, at) =>
    typeof name === 'string' && typeof fields === 'object' && fields !== null
      ? { type: 'ChannelUserevent', at, name, fields: fields as Fields }
      : undefined,
};

const isListened = (type: unknown): type is (typeof LISTENED)[number] =>
  typeof type === 'string' && Object.hasOwn(READERS, type);

/** Undefined for an event that is not used, and for what makes no sense. */
export function readEvent(text: string): AriEvent | undefined {
  const written = objectIn(text);
  if (!written || !isListened(written.type)) return undefined;
  return READERS[written.type](written, momentOf(written.timestamp));
}

function objectIn(text: string): Written | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

const isChannel = (value: unknown): value is AriChannel => {
  const { id, name, state } = (value ?? {}) as Partial<Record<keyof AriChannel, unknown>>;
  return typeof id === 'string' && id.length <= 150 && typeof name === 'string' && typeof state === 'string';
};

/** The extension of the space that a feature code has changed something of, as the dial plan tells. */
export function changedState(event: AriEvent, space: string): number | undefined {
  if (event.type !== 'ChannelUserevent' || event.name !== 'PartylineState') return undefined;
  const { Extension: extension, Space: of } = event.fields;
  return of === space && typeof extension === 'string' && /^[1-9]\d{0,14}$/.test(extension)
    ? Number(extension)
    : undefined;
}

/** Asterisk writes `+0000`, which not every parser reads. */
export function momentOf(written: unknown): Date {
  const at = new Date(typeof written === 'string' ? written.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : Number.NaN);
  return Number.isNaN(at.getTime()) ? new Date(0) : at;
}

/** The endpoint of a channel; undefined for a channel of another kind. */
export const endpointOf = (channelName: string): string | undefined =>
  /^PJSIP\/(.+)-[0-9a-f]{8,}$/.exec(channelName)?.[1];

/** The halves of a Local channel belong together: `Local/103@partyline-leg-00000001;1` and `;2`. */
export const localPairOf = (channelName: string): string | undefined => /^(Local\/.+);[12]$/.exec(channelName)?.[1];
