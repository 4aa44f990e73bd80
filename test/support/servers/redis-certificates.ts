/** Certificate files for Redis servers with TLS on loopback, and for their clients. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, type Certificate } from './certificates';

export interface RedisCertificates {
  /** Configuration lines for a server that accepts TLS connections with a client certificate on this port. */
  readonly lines: (tlsPort: number) => string[];
  /** Query parameters for the address of a server: the authority, and our own certificate. */
  readonly options: string;
  /** The same without the authority, which is then unknown. */
  readonly unchecked: string;
}

export function writeCertificates(dir: string): RedisCertificates {
  mkdirSync(dir, { recursive: true });
  const file = (name: string) => join(dir, name);
  function write(name: string, { cert, key }: Certificate): void {
    writeFileSync(file(`${name}.pem`), cert);
    writeFileSync(file(`${name}-key.pem`), key);
  }
  const authority = makeAuthority('Authority of a test');
  write('ca', authority);
  write('server', authority.issue('127.0.0.1'));
  write('client', authority.issue('partyline.example'));
  const unchecked = `?cert=${file('client.pem')}&key=${file('client-key.pem')}`;
  return {
    lines: (tlsPort) => [
      `tls-port ${tlsPort}`,
      `tls-cert-file ${file('server.pem')}`,
      `tls-key-file ${file('server-key.pem')}`,
      `tls-ca-cert-file ${file('ca.pem')}`,
      'tls-auth-clients yes',
      // For connections to replicas, Sentinels and the primaries that they watch.
      'tls-replication yes',
    ],
    options: `${unchecked}&ca=${file('ca.pem')}`,
    unchecked,
  };
}
