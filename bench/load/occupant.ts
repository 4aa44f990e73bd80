/** One XMPP client on one connection: it signs in anonymously, enters a room, and counts messages. */
import { connect, type Socket } from 'node:net';
import { STREAM, XMPP_ROOMS } from '../peers/xmpp';

export interface Occupant {
  /** Resolves once it is in the room. */
  readonly entered: Promise<void>;
  say(body: string): void;
  reset(): void;
}

export interface OccupantOptions {
  readonly port: number;
  readonly room: string;
  readonly nick: string;
}

const END = Buffer.from('</message>');
const AUTH = "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>";
const BIND = "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>";

/** The replies to send when the server's text matches, one after the other. */
const stepsInto = (place: string, nick: string): readonly (readonly [RegExp, string])[] => [
  [/<\/stream:features>/, AUTH],
  [/<success/, STREAM],
  [/<\/stream:features>/, BIND],
  [
    /<\/iq>/,
    `<presence to='${place}/${nick}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
  ],
  // The room's subject, possibly empty, ends the messages sent on entering.
  [/<subject\s*(?:\/>|>[^<]*<\/subject>).*?<\/message>/s, ''],
];

/** Counts the ends of stanzas, which may arrive split. */
export function stanzaCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const heard = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let count = 0;
    let after = 0;
    for (let at = heard.indexOf(END); at !== -1; at = heard.indexOf(END, after)) {
      count += 1;
      after = at + END.length;
    }
    rest = heard.subarray(Math.max(after, heard.length - END.length + 1));
    return count;
  };
}

function enter(socket: Socket, place: string, nick: string): Promise<void> {
  const steps = [...stepsInto(place, nick)];
  let heard = '';
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => socket.write(STREAM));
    const onData = (bytes: Buffer) => {
      heard += bytes.toString('utf8');
      if (/<(?:failure|stream:error)|type=['"]error/.test(heard))
        reject(new Error(`an occupant was refused: ${heard}`));
      for (let step = steps[0]; step !== undefined && step[0].test(heard); step = steps[0]) {
        heard = '';
        steps.shift();
        if (step[1] !== '') socket.write(step[1]);
      }
      if (steps.length > 0) return;
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData);
  });
}

export function openOccupant(options: OccupantOptions, hear: (round: number) => void): Occupant {
  const place = `${options.room}@${XMPP_ROOMS}`;
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
  const count = stanzaCounter();
  let heard = 0;
  const entered = enter(socket, place, options.nick).then(() => {
    socket.on('data', (bytes: Buffer) => {
      for (let left = count(bytes); left > 0; left -= 1) hear(heard++);
    });
    socket.once('close', () => {
      throw new Error('the server closed the connection of an occupant');
    });
  });
  return {
    entered,
    say: (body) => void socket.write(`<message to='${place}' type='groupchat'><body>${body}</body></message>`),
    reset() {
      heard = 0;
    },
  };
}
