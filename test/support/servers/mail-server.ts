/** A real SMTP server in the test process: keeps accepted mail, and refuses, defers or is silent on demand. */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The header as received, with its long lines unfolded. */
  readonly header: string;
  /** The letter as plain text, and as HTML if it has that too. */
  readonly text: string;
  readonly html?: string;
  /** The bytes that arrived, one character each. */
  readonly raw: string;
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
      void buffer(stream)
        .then(async (bytes) => taken.push(await mailOf(Buffer.from(bytes), envelope)))
        .finally(done);
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

async function mailOf(bytes: Buffer, { mailFrom, rcptTo }: Envelope): Promise<TakenMail> {
  const raw = bytes.toString('latin1');
  const { text = '', html } = await PostalMime.parse(bytes);
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    header: raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' '),
    text: text.replaceAll('\r\n', '\n'),
    ...(html === undefined ? {} : { html: html.replaceAll('\r\n', '\n') }),
    raw,
  };
}
