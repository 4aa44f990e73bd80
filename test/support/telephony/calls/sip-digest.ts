/** Digest credentials of SIP phones, and the parts of messages that they need. */
import { createHash, randomBytes } from 'node:crypto';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
export const token = () => randomBytes(6).toString('hex');

export interface Asked {
  readonly method: string;
  readonly user: string;
  readonly uri: string;
  readonly secret: string;
}

/** The value of the header that answers a challenge. */
export function authorizationFor(challenge: string, { method, user, uri, secret }: Asked): string {
  const valueIn = (name: string): string => new RegExp(`${name}="?([^",\\s]*)`).exec(challenge)?.[1] ?? '';
  const [realm, nonce, opaque] = ['realm', 'nonce', 'opaque'].map(valueIn);
  const [ha1, ha2] = [md5(`${user}:${realm}:${secret}`), md5(`${method}:${uri}`)];
  const cnonce = token();
  const hasQop = challenge.includes('qop=');
  const response = md5(hasQop ? `${ha1}:${nonce}:00000001:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`);
  const plain = `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`;
  const more = hasQop ? `, qop=auth, nc=00000001, cnonce="${cnonce}"` : '';
  return `${plain}${more}${opaque ? `, opaque="${opaque}"` : ''}`;
}

const IDENTIFYING = /^(Via|From|To|Call-ID|CSeq|Record-Route):/i;

/** A response to a request, with the headers that identify it. */
export function responseTo(
  request: string,
  status: string,
  { tag = '', more = [] as string[], body = '' } = {},
): string {
  const headers = request
    .split('\r\n')
    .filter((line) => IDENTIFYING.test(line))
    .map((line) => (tag !== '' && /^To:/i.test(line) && !line.includes(';tag=') ? `${line};tag=${tag}` : line));
  return [`SIP/2.0 ${status}`, ...headers, ...more, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  );
}

export const headerOf = (message: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(message)?.[1]?.trim() ?? '';
