/** Certificates for tests of TLS, generated here: a minimal X.509 in DER, signed with Node's keys. */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** Both as PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate for a host name or an IPv4 address. */
  issue(host: string): Certificate;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = 0x06;
const OCTETS = 0x04;
/** Dotted numbers in DER encoding. */
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const ALTERNATIVE_NAME = '551d11';

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const algorithm = der(SEQUENCE, der(OID, hex(ECDSA_WITH_SHA256)));
const nameOf = (name: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, hex(COMMON_NAME)), der(0x0c, Buffer.from(name)))));
/** 2020 to 2049, the last year of this time format. */
const validity = der(SEQUENCE, ...['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))));
const trueValue = hex('0101ff');

function extensionsOf(host: string | undefined): Buffer {
  if (host === undefined)
    return der(SEQUENCE, der(OID, hex(BASIC_CONSTRAINTS)), trueValue, der(OCTETS, der(SEQUENCE, trueValue)));
  const name = isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  return der(SEQUENCE, der(OID, hex(ALTERNATIVE_NAME)), der(OCTETS, der(SEQUENCE, name)));
}

interface Wanted {
  readonly subject: string;
  readonly host?: string;
  readonly issuer: string;
}

/** Without a signer it signs itself, and may sign others. */
function makeCertificate({ subject, host, issuer }: Wanted, signer?: KeyObject) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const signed = der(
    SEQUENCE,
    der(0xa0, hex('020102')),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    nameOf(issuer),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extensionsOf(host))),
  );
  const signature = sign('sha256', signed, signer ?? privateKey);
  const whole = der(SEQUENCE, signed, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

export function makeAuthority(name: string): Authority {
  const { privateKey, cert, key } = makeCertificate({ subject: name, issuer: name });
  return { cert, key, issue: (host) => makeCertificate({ subject: host, host, issuer: name }, privateKey) };
}
