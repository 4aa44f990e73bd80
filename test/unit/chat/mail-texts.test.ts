import { invitedAs, readAddresses, roleInvitedAs } from '../../../src/chat/model/accounts/invitation';
import { hashOfToken, newToken } from '../../../src/chat/model/mail/mail';
import { invitationText, missedMessagesText } from '../../../src/chat/model/mail/mail-texts';
import { hasSeen, wantsMail } from '../../../src/chat/model/mail/missed-messages';
import { openSecrets } from '../../../src/kernel/secrets/secrets';

const organisation = { name: 'Example\r\nBcc: all@example.com', url: 'https://chat.example.org' };

test('Names in a mail stay on one line and are shortened, whatever their authors wrote into them', () => {
  const { subject, text } = invitationText({
    organisation,
    inviter: { fullName: `Ann\u2028${'x'.repeat(200)}`, email: 'ann@example.com' },
    link: 'https://chat.example.org/join/abc',
    expiresAt: new Date('2026-11-26T10:00:00Z'),
  });
  expect(subject).not.toMatch(/[\r\n\u2028]/);
  expect(subject.length).toBeLessThan(300);
  expect(text).not.toContain('\nBcc:');
  expect(text).toContain('\nhttps://chat.example.org/join/abc\n');
  expect(text).toContain('2026-11-26');
});

describe('Mail about missed messages', () => {
  const message = { sender: 'Ann', content: 'hello', sentAt: new Date('2026-11-16T10:00:30Z') };
  const facts = {
    organisation: { name: 'Example', url: 'https://x' },
    more: 0,
    unsubscribe: 'https://x/unsubscribe/y',
  };

  test('A mail about missed messages names the senders, or the stream and its topic', () => {
    const people = missedMessagesText({ ...facts, place: { people: ['Ann', 'Ben'] }, messages: [message] });
    expect(people.subject).toBe('Private messages from Ann, Ben (Example)');
    expect(people.text).toContain('Ann, 2026-11-16 10:00 UTC:\nhello');
    const stream = missedMessagesText({ ...facts, place: { stream: 'a', topic: 'b' }, messages: [message] });
    expect(stream.subject).toBe('You were mentioned in #a > b (Example)');
  });

  test('A mail about missed messages counts those left out, and omits content that must not be mailed', () => {
    const hidden = { ...message, content: null };
    const { text } = missedMessagesText({ ...facts, more: 7, place: { people: ['Ann'] }, messages: [hidden] });
    expect(text).toContain('There are 7 more.');
    expect(text).not.toContain('hello');
    expect(text).toContain('https://x/unsubscribe/y');
  });
});

test('Email addresses are read as people paste them', () => {
  expect(readAddresses('a@x.org, Ben B <b@x.org>\n<c@x.org> ,,\n a@x.org ')).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
  expect(readAddresses(' , \n')).toEqual([]);
});

test('Invited roles use the numbers of the wire format', () => {
  for (const number of [1, 2, 3]) expect(invitedAs(roleInvitedAs(number)!)).toBe(number);
  expect([0, 4, -1, 1.5].map(roleInvitedAs)).toEqual([undefined, undefined, undefined, undefined]);
});

test('A token is recognised by its hash, and a malformed text is refused as a token', () => {
  const secrets = openSecrets('a'.repeat(40));
  const { nonce, tokenHash } = newToken(secrets, 'invitation');
  const token = secrets.token('invitation', nonce);
  expect(hashOfToken(secrets, token)).toBe(tokenHash);
  expect(tokenHash).not.toContain(token);
  for (const wrong of ['', token.slice(1), `${token}x`, 'ü'.repeat(43), 'x'.repeat(100_000)]) {
    expect(hashOfToken(secrets, wrong)).toBeUndefined();
  }
});

test('A user who was active shortly before a message or since counts as having seen it', () => {
  expect([undefined, 800, 859, 860, 1000, 2000].map((active) => hasSeen(1000, active))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
  expect([wantsMail({}), wantsMail({ enable_offline_email_notifications: false })]).toEqual([true, false]);
});
