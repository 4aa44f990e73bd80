/** A phone that registers by SIP digest over UDP, and answers qualify requests. */
import { createSocket } from 'node:dgram';
import { authorizationFor, responseTo, token } from '../../support/telephony/calls/sip-digest';

export interface PhoneOptions {
  /** The port of the registrar on this machine. */
  readonly port: number;
  readonly user: string | number;
  readonly domain: string;
}

export interface SipPhone {
  /** Answers the challenge if it is asked for credentials. Returns the last status. */
  register(secret: string): Promise<number>;
  close(): void;
}

export async function openPhone({ port, user, domain }: PhoneOptions): Promise<SipPhone> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const own = socket.address().port;
  const callId = token();
  const uri = `sip:${domain}`;
  let sequence = 0;
  let answered: (message: string) => void = () => {};
  socket.on('message', (bytes) => {
    const message = bytes.toString();
    if (message.startsWith('SIP/2.0')) answered(message);
    else socket.send(responseTo(message, '200 OK'), port, '127.0.0.1');
  });

  function send(authorization?: string): Promise<string> {
    sequence += 1;
    const lines = [
      `REGISTER ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bK${token()};rport`,
      'Max-Forwards: 70',
      `From: <sip:${user}@${domain}>;tag=${callId}`,
      `To: <sip:${user}@${domain}>`,
      `Call-ID: ${callId}`,
      `CSeq: ${sequence} REGISTER`,
      `Contact: <sip:${user}@127.0.0.1:${own}>`,
      'Expires: 300',
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
      'Content-Length: 0',
    ];
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('no answer to REGISTER')), 10_000);
      answered = (message) => {
        clearTimeout(late);
        resolve(message);
      };
      socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, '127.0.0.1');
    });
  }

  return {
    async register(secret) {
      const challenge = await send();
      const answer = await send(authorizationFor(challenge, { method: 'REGISTER', user: String(user), uri, secret }));
      return Number(/^SIP\/2.0 (\d+)/.exec(answer)?.[1]);
    },
    close: () => void socket.close(),
  };
}
