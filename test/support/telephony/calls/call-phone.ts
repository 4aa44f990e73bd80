/** A SIP phone on loopback that registers, is called and calls, with sound in u-law. */
import { createSocket, type Socket } from 'node:dgram';
import { until } from '../../until';
import { KEYS, openSound } from './sound';
import { authorizationFor, headerOf, responseTo, token } from './sip-digest';

const HOST = '127.0.0.1';

/** What it does when it is called. */
export type Manner = 'rings' | 'answers' | 'is busy';

export interface IncomingCall {
  readonly invite: string;
  readonly ringingAt: number;
  /** When it was called off, answered, or refused. */
  endedAt?: number;
  end?: 'called off' | 'answered' | 'refused';
  isOver?: boolean;
  /** Presses keys, once it is answered. */
  press(keys: string): Promise<void>;
}

export interface OutgoingCall {
  /** The last response: 180 while it rings, 200 once it is answered. */
  status: number;
  answeredAt?: number;
  /** The other side has hung up. */
  isOver: boolean;
  /** Sends sound for so long. */
  speak(ms: number): Promise<void>;
  /** Presses keys. */
  press(keys: string): Promise<void>;
  hangUp(): void;
}

export interface CallPhone {
  readonly user: string;
  /** Where it can be called. */
  readonly address: string;
  manner: Manner;
  readonly incoming: IncomingCall[];
  /** Resolves when something has been heard since the last key, and it is quiet. */
  listen(): Promise<void>;
  register(): Promise<void>;
  call(number: string): OutgoingCall;
  /** Calls, and resolves with the final response. */
  finalOf(number: string): Promise<OutgoingCall>;
  close(): void;
}

interface Options {
  readonly port: number;
  readonly user: string | number;
  readonly secret: string;
  /** Of companies that share an Asterisk. */
  readonly domain?: string;
}

async function openSocket(): Promise<{ socket: Socket; own: number }> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  return { socket, own: socket.address().port };
}

export async function openCallPhone({ port, secret, domain = HOST, ...options }: Options): Promise<CallPhone> {
  const user = String(options.user);
  const { socket, own } = await openSocket();
  const media = await openSocket();
  const sound = openSound(media.socket, HOST);
  const waiting = new Map<string, (message: string) => void>();
  const answered = new Map<string, string>();
  const sdp = [
    'v=0',
    `o=phone 1 1 IN IP4 ${HOST}`,
    's=-',
    `c=IN IP4 ${HOST}`,
    't=0 0',
    `m=audio ${media.own} RTP/AVP 0 ${KEYS}`,
    'a=rtpmap:0 PCMU/8000',
    `a=rtpmap:${KEYS} telephone-event/8000`,
    `a=fmtp:${KEYS} 0-15`,
    '',
  ].join('\r\n');
  const contact = `Contact: <sip:${user}@${HOST}:${own}>`;
  const withSound = { more: [contact, 'Content-Type: application/sdp'], body: sdp };
  const send = (message: string) => socket.send(message, port, HOST);

  const address = `sip:${HOST}:${own}`;
  const phone: CallPhone = {
    user,
    address,
    manner: 'rings',
    incoming: [],
    listen: () => sound.listen(),
    register,
    call,
    finalOf,
    close,
  };

  socket.on('message', (bytes) => {
    const message = bytes.toString();
    const id = headerOf(message, 'Call-ID');
    if (message.startsWith('SIP/2.0')) return waiting.get(id)?.(message);
    const method = message.slice(0, message.indexOf(' '));
    if (method === 'INVITE') return ring(message, id);
    if (method === 'ACK') return undefined;
    send(responseTo(message, '200 OK'));
    if (method === 'CANCEL') endIncoming(id, 'called off', '487 Request Terminated');
    if (method === 'BYE') {
      waiting.get(id)?.(message);
      const incoming = phone.incoming.find(({ invite }) => headerOf(invite, 'Call-ID') === id);
      if (incoming) incoming.isOver = true;
    }
    return undefined;
  });

  function ring(invite: string, id: string): void {
    // Asterisk repeats it until it sees an answer.
    const before = answered.get(id);
    if (before !== undefined) return send(before);
    const ringing = responseTo(invite, '180 Ringing', { tag: `t${id.slice(0, 8)}`, more: [contact] });
    answered.set(id, ringing);
    phone.incoming.push({ invite, ringingAt: Date.now(), press: (keys) => sound.press(mediaPort(invite), keys) });
    send(ringing);
    if (phone.manner === 'answers') endIncoming(id, 'answered', '200 OK');
    if (phone.manner === 'is busy') endIncoming(id, 'refused', '486 Busy Here');
  }

  function endIncoming(id: string, end: NonNullable<IncomingCall['end']>, status: string): void {
    const incoming = phone.incoming.find(({ invite }) => headerOf(invite, 'Call-ID') === id);
    if (!incoming || incoming.end) return;
    Object.assign(incoming, { end, endedAt: Date.now() });
    const more = end === 'answered' ? withSound : {};
    const answer = responseTo(incoming.invite, status, { tag: `t${id.slice(0, 8)}`, ...more });
    answered.set(id, answer);
    send(answer);
  }

  const request = (method: string, uri: string, headers: readonly string[], body = ''): string =>
    [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${HOST}:${own};branch=z9hG4bK${token()};rport`,
      'Max-Forwards: 70',
      ...headers,
      contact,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');

  async function register(): Promise<void> {
    const id = token();
    const uri = `sip:${domain}`;
    const ask = (sequence: number, more: readonly string[]): Promise<string> =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        const who = [`From: <sip:${user}@${domain}>;tag=${id}`, `To: <sip:${user}@${domain}>`, `Call-ID: ${id}`];
        send(request('REGISTER', uri, [...who, `CSeq: ${sequence} REGISTER`, 'Expires: 3600', ...more]));
      });
    const challenge = await ask(1, []);
    const said = await ask(2, [
      `Authorization: ${authorizationFor(challenge, { method: 'REGISTER', user, uri, secret })}`,
    ]);
    if (!said.startsWith('SIP/2.0 200')) throw new Error(`${user} cannot register: ${said.split('\r\n')[0]}`);
  }

  function call(number: string): OutgoingCall {
    const id = token();
    const uri = `sip:${number}@${HOST}:${port}`;
    const from = `From: <sip:${user}@${domain}>;tag=${id}`;
    let last = '';
    let sequence = 1;
    const invite = (more: readonly string[] = []) => {
      const headers = [
        from,
        `To: <${uri}>`,
        `Call-ID: ${id}`,
        `CSeq: ${sequence} INVITE`,
        'Content-Type: application/sdp',
      ];
      last = request('INVITE', uri, [...headers, ...more], sdp);
      send(last);
    };
    // A refused INVITE is acknowledged within its own transaction.
    const acknowledge = (message: string, isRefused: boolean) => {
      const ack = request('ACK', uri, [
        from,
        `To: ${headerOf(message, 'To')}`,
        `Call-ID: ${id}`,
        `CSeq: ${sequence} ACK`,
      ]);
      send(isRefused ? ack.replace(/^Via: .*$/m, `Via: ${headerOf(last, 'Via')}`) : ack);
    };
    const out: OutgoingCall = {
      status: 0,
      isOver: false,
      speak: (ms) => sound.speak(mediaPort(answer), ms, () => out.isOver),
      press: (keys) => sound.press(mediaPort(answer), keys),
      hangUp() {
        const headers = [from, `To: ${headerOf(answer, 'To')}`, `Call-ID: ${id}`, `CSeq: ${(sequence += 1)} BYE`];
        send(request('BYE', uri, headers));
        out.isOver = true;
      },
    };
    let answer = '';
    waiting.set(id, (message) => {
      if (message.startsWith('BYE')) return void (out.isOver = true);
      if (!headerOf(message, 'CSeq').endsWith('INVITE')) return;
      const status = Number(message.slice(8, 11));
      if (status >= 300) acknowledge(message, true);
      if (status === 401 && sequence === 1) {
        const authorization = authorizationFor(message, { method: 'INVITE', user, uri, secret });
        sequence = 2;
        return invite([`Authorization: ${authorization}`]);
      }
      if (status === 200) {
        acknowledge(message, false);
        answer = message;
        out.answeredAt ??= Date.now();
      }
      if (status !== 401 || sequence === 2) out.status = Math.max(out.status, status);
    });
    invite();
    return out;
  }

  async function finalOf(number: string): Promise<OutgoingCall> {
    const out = call(number);
    await until(
      () => out.status,
      (status) => status >= 200,
      120_000,
    );
    return out;
  }

  function close(): void {
    socket.close();
    media.socket.close();
  }

  return phone;
}

const mediaPort = (message: string): number => Number(/^m=audio (\d+)/m.exec(message)?.[1]);
