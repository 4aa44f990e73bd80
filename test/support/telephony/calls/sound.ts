/** What a phone says and hears: packets of a tone and of keys, one stream for all of its calls. */
import type { Socket } from 'node:dgram';
import { until } from '../../until';

const PACKET_MS = 20;
const PACKET_BYTES = 160;
const ULAW = 0;
/** Of `telephone-event`, as Asterisk names it too. */
export const KEYS = 101;
const KEY_PACKETS = 5;
const LAST_PACKETS = 3;
const IS_LAST = 0x80;
const VOLUME = 10;
/** A prompt is over: files that follow each other come closer. */
const QUIET_MS = 500;

export interface Sound {
  speak(port: number, ms: number, isOver: () => boolean): Promise<void>;
  /** Presses digits, `*` and `#`, one after the other. */
  press(port: number, keys: string): Promise<void>;
  /** Resolves when something has been heard since the last key, and it is quiet. */
  listen(): Promise<void>;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PACKET_MS));

export function openSound(socket: Socket, host: string): Sound {
  let sent = 0;
  let heardAt: number | undefined;
  socket.on('message', () => (heardAt = Date.now()));

  /** Begins with what every packet of a stream has. */
  function packet(type: number, stamp: number, payload: Buffer): Buffer {
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt8(type, 1);
    header.writeUInt16BE(sent & 0xffff, 2);
    header.writeUInt32BE((stamp * PACKET_BYTES) >>> 0, 4);
    header.writeUInt32BE(0x7ca11, 8);
    sent += 1;
    return Buffer.concat([header, payload]);
  }

  async function speak(port: number, ms: number, isOver: () => boolean): Promise<void> {
    const end = Date.now() + ms;
    while (Date.now() < end && !isOver()) {
      socket.send(packet(ULAW, sent, TONE), port, host);
      await pause();
    }
  }

  return {
    speak,
    async press(port, keys) {
      for (const key of keys) {
        const stamp = sent;
        heardAt = undefined;
        for (let at = 1; at <= KEY_PACKETS + LAST_PACKETS; at += 1) {
          const isLast = at > KEY_PACKETS;
          const event = Buffer.from(['0123456789*#'.indexOf(key), VOLUME | (isLast ? IS_LAST : 0), 0, 0]);
          event.writeUInt16BE(Math.min(at, KEY_PACKETS + 1) * PACKET_BYTES, 2);
          socket.send(packet(KEYS, stamp, event), port, host);
          await pause();
        }
        await speak(port, PACKET_MS * KEY_PACKETS, () => false);
      }
    },
    listen: () =>
      until(
        () => heardAt !== undefined && Date.now() - heardAt > QUIET_MS,
        (isQuiet: boolean) => isQuiet,
      ).then(() => {}),
  };
}

/** So that nothing takes it for silence. */
const TONE = Buffer.from(Array.from({ length: PACKET_BYTES }, (_, index) => (index % 8 < 4 ? 0x90 : 0x10)));
