/** TLS options from the MySQL URL: whether connections are encrypted, and how the server's certificate is checked. */
import { isIP } from 'node:net';
import type { SslOptions } from 'mysql2';
import { CERTIFICATES, readCertificates, refuseUnknown } from '../secrets/certificates';

/** `required` encrypts but checks nothing. */
const MODES = ['required', 'verify-ca', 'verify'] as const;
type Mode = (typeof MODES)[number];

/** Undefined if connections are not encrypted. */
export function tlsOf({ searchParams: options, hostname }: URL): SslOptions | undefined {
  refuseUnknown(options, ['ssl', ...CERTIFICATES], wrong);
  const written = options.get('ssl');
  if (written === null) {
    if (options.size > 0) throw wrong('ca, cert and key need ssl=verify or ssl=required');
    return undefined;
  }
  const mode = modeOf(written);
  checkTogether(mode, options.has('ca'), hostname);
  return {
    rejectUnauthorized: mode !== 'required',
    verifyIdentity: mode === 'verify',
    ...readCertificates(options, wrong),
  };
}

function modeOf(written: string): Mode {
  const mode = MODES.find((each) => each === written);
  if (mode === undefined) throw wrong(`ssl must be one of ${MODES.join(', ')}, not "${written}"`);
  return mode;
}

function checkTogether(mode: Mode, hasCa: boolean, host: string): void {
  if (mode === 'required' && hasCa) throw wrong('ssl=required checks no certificate: ca needs ssl=verify');
  // Otherwise any certificate of any public authority would pass.
  if (mode === 'verify-ca' && !hasCa) throw wrong('ssl=verify-ca needs ca=<path of a PEM file>');
  // The driver compares certificates with host names only.
  if (mode === 'verify' && isIP(host.replace(/^\[|\]$/g, '')) !== 0)
    throw wrong('ssl=verify needs a host name in place of the address; for an address, use ssl=verify-ca');
}

const wrong = (what: string): Error => new Error(`The address of MySQL is wrong: ${what}`);
