/**
 * A push service in the process of the test, and devices that subscribed there: it takes pushes as those of browsers do,
 * and decrypts them as their devices do (RFC 8291).
 */
import { createECDH, createPublicKey, randomBytes, verify, type ECDH } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decrypt } from 'http_ece';

export interface Pushed {
  readonly headers: IncomingHttpHeaders;
  /** What the server said to the device. */
  readonly payload: PushedPayload;
}

export interface PushedPayload {
  readonly kind: string;
  readonly tag?: string;
  readonly title?: string;
  readonly body?: string;
  readonly path?: string;
  readonly ids?: number[];
  readonly tags?: string[];
  readonly badge?: number;
  readonly read?: string;
  readonly reply?: string;
}

export interface TestDevice {
  /** What a browser tells its page of a subscription. */
  readonly address: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  /** In the order of their arrival. */
  readonly pushes: readonly Pushed[];
  /** Answers from now on, if not with 201. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
}

export interface PushService {
  readonly origin: string;
  device(): TestDevice;
  /** All requests, those that were refused too. */
  count(): number;
  close(): Promise<void>;
}

interface Kept {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
  readonly pushes: Pushed[];
  status: number;
  headers: Readonly<Record<string, string>>;
}

export async function openPushService(): Promise<PushService> {
  const devices = new Map<string, Kept>();
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const device = devices.get(request.url ?? '');
      const status = device?.status ?? 404;
      if (device && status === 201) device.pushes.push(received(request.headers, Buffer.concat(chunks), device));
      response.writeHead(status, device?.headers ?? {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    count: () => requests,
    device() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(24).toString('base64url')}`;
      const kept: Kept = { ecdh, auth, pushes: [], status: 201, headers: {} };
      devices.set(path, kept);
      return {
        address: {
          endpoint: origin + path,
          p256dh: ecdh.getPublicKey('base64url'),
          auth: auth.toString('base64url'),
        },
        pushes: kept.pushes,
        answer: (status, headers = {}) => void Object.assign(kept, { status, headers }),
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function received(headers: IncomingHttpHeaders, body: Buffer, { ecdh, auth }: Kept): Pushed {
  const text = decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth.toString('base64url') });
  return { headers, payload: JSON.parse(text.toString('utf8')) as PushedPayload };
}

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Checks the signature of a push (RFC 8292) and returns its claims. */
export function claimsOf({ authorization = '' }: IncomingHttpHeaders, publicKey: string) {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  expect(key).toBe(publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(decoded(head)).toMatchObject({ alg: 'ES256' });
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isValid = verify(
    'sha256',
    signed,
    { key: jwk, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isValid).toBe(true);
  return decoded(claims) as { aud: string; sub: string; exp: number };
}
