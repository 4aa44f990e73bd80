/** What an Asterisk shows of lines and calls: its events, and what is so right now, for whoever begins to listen. */
import { openWebSocket, type OpenSocket } from '../../../kernel/outbound/websocket';
import { LISTENED, readEvent, type AriChannel, type AriEvent } from '../../model/calls/ari-events';
import type { AsteriskApi } from '../pbx-instance/asterisk-api';
import { PbxError, type CallContext } from '../pbx-instance/driver';

/** Events that show settings or whole configurations are not wanted; a call's are below 4 kB. */
const MAX_EVENT_BYTES = 256 * 1024;
const ASKED_AT_ONCE = 16;
/** More channels are not looked at one by one. */
const MAX_CHANNELS = 2000;

export interface SeenLine {
  readonly endpoint: string;
  /** As DeviceStateChanged has it. */
  readonly deviceState: string;
}

export interface SeenChannel {
  readonly channel: AriChannel;
  /** The id of the channel that the call began with. */
  readonly linkedId: string;
}

export interface SeenNow {
  readonly lines: readonly SeenLine[];
  readonly channels: readonly SeenChannel[];
}

export interface AsteriskLine {
  open(onEvent: (event: AriEvent) => void, deadlineMs: number, pingMs: number): Promise<OpenSocket>;
  /** Limits the events to those that are used. Asterisk forgets this with each connection. */
  filter(context: CallContext): Promise<void>;
  lookAround(step: () => CallContext): Promise<SeenNow>;
}

interface Place {
  readonly api: AsteriskApi;
  readonly address: string;
  readonly credentials: string;
  /** Of the instance: a second connection under the same name silences the first. */
  readonly app: string;
}

export function asteriskLine({ api, address, credentials, app }: Place): AsteriskLine {
  const root = address.replace(/\/(ari\/?)?$/, '').replace(/^http/, 'ws');

  async function deviceState(endpoint: string, context: CallContext): Promise<string> {
    const path = `/deviceStates/${encodeURIComponent(`PJSIP/${endpoint}`)}`;
    return ((await api.call('GET', path, context)) as { state?: string } | null)?.state ?? 'UNKNOWN';
  }

  async function linkedId(id: string, context: CallContext): Promise<string | undefined> {
    const path = `/channels/${encodeURIComponent(id)}/variable?variable=CHANNEL(linkedid)`;
    try {
      return ((await api.call('GET', path, context)) as { value?: string } | null)?.value;
    } catch (error) {
      // It has ended meanwhile.
      if (error instanceof PbxError && error.message.endsWith(': Channel not found')) return undefined;
      throw error;
    }
  }

  return {
    open: (onEvent, deadlineMs, pingMs) =>
      openWebSocket(`${root}/ari/events?app=${app}&subscribeAll=true`, {
        headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
        deadlineMs,
        pingMs,
        maxBytes: MAX_EVENT_BYTES,
        onText(text) {
          const event = readEvent(text);
          if (event) onEvent(event);
        },
      }),
    async filter(context) {
      const allowed = LISTENED.map((type) => ({ type }));
      await api.call('PUT', `/applications/${app}/eventFilter`, context, { allowed });
    },
    async lookAround(step) {
      const endpoints = listIn(await api.call('GET', '/endpoints/PJSIP', step())) as {
        resource: string;
        state: string;
        channel_ids?: string[];
      }[];
      const lines = await inParts(endpoints, async ({ resource, state, channel_ids: channels = [] }) => {
        if (state === 'offline') return { endpoint: resource, deviceState: 'UNAVAILABLE' };
        if (channels.length === 0 && state === 'online') return { endpoint: resource, deviceState: 'NOT_INUSE' };
        return { endpoint: resource, deviceState: await deviceState(resource, step()) };
      });
      const channels = (listIn(await api.call('GET', '/channels', step())) as AriChannel[])
        .filter(({ name }) => /^(PJSIP|Local)\//.test(name))
        .slice(0, MAX_CHANNELS);
      const seen = await inParts(channels, async (channel) => ({
        channel,
        linkedId: await linkedId(channel.id, step()),
      }));
      return {
        lines,
        channels: seen.flatMap(({ channel, linkedId: id }) => (id === undefined ? [] : [{ channel, linkedId: id }])),
      };
    },
  };
}

function listIn(answer: unknown): unknown[] {
  if (answer === undefined) return [];
  if (!Array.isArray(answer)) throw new PbxError('cut', 'The PBX sent no list');
  return answer as unknown[];
}

async function inParts<T, R>(all: readonly T[], look: (each: T) => Promise<R>): Promise<R[]> {
  const seen: R[] = [];
  for (let at = 0; at < all.length; at += ASKED_AT_ONCE) {
    seen.push(...(await Promise.all(all.slice(at, at + ASKED_AT_ONCE).map(look))));
  }
  return seen;
}
