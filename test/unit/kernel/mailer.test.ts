import { generateKeyPairSync } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { MailRefused } from '../../../src/kernel/mail/letter';
import { openMailer } from '../../../src/kernel/mail/mailer';
import { hasGoodSignature } from '../../support/servers/dkim';
import { startMailServer, type MailServer } from '../../support/servers/mail-server';

let server: MailServer;
const log = pino({ level: 'silent' });
const unsigned = { mailDkimDomain: '', mailDkimSelector: '', mailDkimKey: '' };

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const mailerAt = (smtpUrl: string, mailCallMs = 5000, dkim = unsigned) =>
  openMailer({ smtpUrl, mailFrom: 'Chat <chat@example.com>', mailCallMs, nodeEnv: 'production', ...dkim }, log);

describe('Mailer with SMTP_URL', () => {
  test('A mail reaches the mail server with its sender, its id and its text unchanged', async () => {
    await mailerAt(server.url).send({
      to: 'ann@example.com',
      subject: 'Grüße\r\nBcc: everybody@example.com',
      text: 'Zwölf Boxkämpfer\n\nhttps://chat.example.com/join/abc\n',
      messageId: '<mail-1@example.com>',
      headers: { 'List-Unsubscribe': '<https://chat.example.com/unsubscribe/abc>' },
    });
    const mail = server.taken.at(-1)!;
    expect(mail).toMatchObject({ from: 'chat@example.com', to: ['ann@example.com'] });
    expect(mail.text.trim()).toBe('Zwölf Boxkämpfer\n\nhttps://chat.example.com/join/abc');
    expect(mail.header).toContain('Message-ID: <mail-1@example.com>');
    expect(mail.header).toContain('From: Chat <chat@example.com>');
    expect(mail.header).toContain('List-Unsubscribe: <https://chat.example.com/unsubscribe/abc>');
    expect(mail.header).not.toMatch(/^Bcc:/m);
  });

  test('A mail has the same as HTML beside its text, and belongs to its thread', async () => {
    await mailerAt(server.url).send({
      to: 'ann@example.com',
      subject: 'Hello',
      text: 'Zwölf',
      html: '<p>Zwölf <b>Boxkämpfer</b></p>',
      threadId: '<thread-7@example.com>',
    });
    const mail = server.taken.at(-1)!;
    expect([mail.text.trim(), mail.html?.trim()]).toEqual(['Zwölf', '<p>Zwölf <b>Boxkämpfer</b></p>']);
    expect(mail.header).toContain('References: <thread-7@example.com>');
    expect(mail.header).toContain('In-Reply-To: <thread-7@example.com>');
  });

  test('A mail is signed with the DKIM key, and everybody can check it with the public one', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await mailerAt(server.url, 5000, {
      mailDkimDomain: 'example.com',
      mailDkimSelector: 'chat2026',
      mailDkimKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    }).send({ to: 'ann@example.com', subject: 'Hello', text: 'Good day', html: '<p>Good day</p>' });
    const { raw } = server.taken.at(-1)!;
    const keys = { 'chat2026._domainkey.example.com': publicKey };
    expect(hasGoodSignature(raw, keys)).toBe(true);
    expect(hasGoodSignature(raw.replace('Good day', 'Bad day'), keys)).toBe(false);
    expect(hasGoodSignature(raw.replace('Subject: Hello', 'Subject: Hallo'), keys)).toBe(false);
  });

  test('An address that the server does not know is refused for good, with the words of the server', async () => {
    server.refused.set('nobody@example.com', { code: 550, message: 'No such user here' });
    const sending = mailerAt(server.url).send({ to: 'nobody@example.com', subject: 'Hello', text: 'Hello' });
    await expect(sending).rejects.toThrow(MailRefused);
    await expect(sending).rejects.toThrow(/^550.*No such user here/);
  });

  test.each([421, 450, 452])('The SMTP status %i is a temporary error', async (code) => {
    server.refused.set('later@example.com', { code, message: 'Try again later' });
    const sending = mailerAt(server.url).send({ to: 'later@example.com', subject: 'Hello', text: 'Hello' });
    await expect(sending).rejects.toThrow(/Try again later/);
    await expect(sending).rejects.not.toThrow(MailRefused);
  });

  test('A mail server that falls silent, or that is away, is given up at the deadline', async () => {
    server.silent.add('silence@example.com');
    const sending = mailerAt(server.url, 300).send({ to: 'silence@example.com', subject: 'Hello', text: 'Hello' });
    await expect(sending).rejects.not.toThrow(MailRefused);
    const gone = await startMailServer();
    await gone.close();
    await expect(mailerAt(gone.url).send({ to: 'a@example.com', subject: 'a', text: 'a' })).rejects.toThrow(/connect/i);
  });

  test('A mail server that accepts the connection and never greets is given up at the deadline', async () => {
    const sockets = new Set<Socket>();
    const mute: Server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    await expect(mailerAt(url, 300).send({ to: 'a@example.com', subject: 'a', text: 'a' })).rejects.toThrow();
    for (const socket of sockets) socket.destroy();
    mute.close();
  });
});

describe('Mailer without SMTP_URL', () => {
  test('A development server writes a mail to its log, with the links that other lines may not show', async () => {
    const lines: string[] = [];
    const formatters = { log: () => ({ text: 'censored' }) };
    const shown = pino({ level: 'info', formatters }, { write: (line: string) => void lines.push(line) });
    const settings = { smtpUrl: '', mailFrom: '', mailCallMs: 1000, ...unsigned };
    const mailer = openMailer({ ...settings, nodeEnv: 'development' }, shown);
    expect(mailer.mode).toBe('shown');
    await mailer.send({ to: 'ann@example.com', subject: 'Hello', text: 'Good day' });
    expect(JSON.parse(lines[0]!)).toMatchObject({ to: 'ann@example.com', subject: 'Hello', text: 'Good day' });
  });

  test('A production server without SMTP_URL sends no mail and says so', async () => {
    const mailer = openMailer({ smtpUrl: '', mailFrom: '', mailCallMs: 1000, nodeEnv: 'production', ...unsigned }, log);
    expect(mailer.mode).toBe('off');
    await expect(mailer.send({ to: 'a@example.com', subject: 'a', text: 'a' })).rejects.toThrow(/SMTP_URL/);
  });
});
