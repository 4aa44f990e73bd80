/** A real SMTP server in the test process: keeps accepted mail, and refuses, defers or is silent on demand. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The header as received, with its long lines unfolded. */
  readonly header: string;
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly taken: TakenMail[];
  /** Recipients whose mail the server refuses with this code and text. */
  readonly refused: Map<string, { readonly code: number; readonly message: string }>;
  /** Recipients for whom the server does not respond at all. */
  readonly silent: Set<string>;
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const refused: MailServer['refused'] = new Map();
  const silent = new Set<string>();
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onRcptTo({ address }, _session, done) {
      if (silent.has(address)) return;
      const refusal = refused.get(address);
      done(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : undefined);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        taken.push(mailOf(Buffer.concat(chunks).toString('utf8'), envelope));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    refused,
    silent,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Envelope {
  readonly mailFrom: false | { readonly address: string };
  readonly rcptTo: readonly { readonly address: string }[];
}

function mailOf(raw: string, { mailFrom, rcptTo }: Envelope): TakenMail {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    header,
    text: decoded(raw.slice(end + 4), header),
  };
}

function decoded(body: string, header: string): string {
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(header)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
