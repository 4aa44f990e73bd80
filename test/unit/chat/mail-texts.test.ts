import { invitedAs, readAddresses, roleInvitedAs } from '../../../src/chat/model/accounts/invitation';
import { hashOfToken, newToken } from '../../../src/chat/model/mail/mail';
import { invitationText, missedMessagesText } from '../../../src/chat/model/mail/mail-texts';
import { mailedHtml, mailedText } from '../../../src/chat/model/mail/mailed-html';
import { clockOf } from '../../../src/chat/model/mail/moments';
import { hasSeen } from '../../../src/chat/model/missed/missed-messages';
import { wantsMail } from '../../../src/chat/model/missed/missed-rules';
import { chatWords } from '../../../src/chat/model/texts/chat-words';
import { paragraph } from '../../../src/kernel/mail/written';
import { openSecrets } from '../../../src/kernel/secrets/secrets';

const organisation = { name: 'Example\r\nBcc: all@example.com', url: 'https://chat.example.org' };

test('Names in a mail stay on one line and are shortened, whatever their authors wrote into them', () => {
  const { subject, text } = invitationText(chatWords('en'), {
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
  const message = { sender: 'Ann', said: paragraph('hello'), sentAt: new Date('2026-11-16T10:00:30Z') };
  const facts = {
    organisation: { name: 'Example', url: 'https://x' },
    more: 0,
    link: 'https://x/#narrow/pm-with/1-pm/near/7',
    timezone: '',
    unsubscribe: 'https://x/unsubscribe/y',
  };

  test('A mail about missed messages names the senders, or the stream and its topic', () => {
    const people = missedMessagesText(chatWords('en'), {
      ...facts,
      place: { people: ['Ann', 'Ben'] },
      messages: [message],
    });
    expect(people.subject).toBe('Private messages from Ann, Ben (Example)');
    expect(people.text).toContain('Ann, Nov 16, 2026, 10:00 AM UTC:\nhello');
    const stream = missedMessagesText(chatWords('en'), {
      ...facts,
      place: { stream: 'a', topic: 'b', isMention: true },
      messages: [message],
    });
    expect(stream.subject).toBe('You were mentioned in #a > b (Example)');
    const followed = missedMessagesText(chatWords('en'), {
      ...facts,
      place: { stream: 'a', topic: 'b', isMention: false },
      messages: [message],
    });
    expect(followed.subject).toBe('New messages in #a > b (Example)');
  });

  test('A mail about missed messages counts those left out, and omits content that must not be mailed', () => {
    const hidden = { ...message, said: null };
    const { text } = missedMessagesText(chatWords('en'), {
      ...facts,
      more: 7,
      place: { people: ['Ann'] },
      messages: [hidden],
    });
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

describe('Messages as mail shows them', () => {
  const timeOf = clockOf({ language: 'de' }, 'Europe/Berlin');
  const around = { url: 'https://chat.example.org', spoiler: '(Hidden)', timeOf };
  const html = (rendered: string) => mailedHtml(rendered, around);

  test('Addresses within the organisation are whole, and classes and styles are gone', () => {
    expect(html('<p><a class="stream" data-stream-id="3" href="/#narrow/stream/3-a">#a</a></p>')).toBe(
      '<p><a href="https://chat.example.org/#narrow/stream/3-a">#a</a></p>',
    );
    expect(html('<p><a href="https://example.net/?a=1&amp;b=2" target="_blank">x</a></p>')).toBe(
      '<p><a href="https://example.net/?a=1&amp;b=2">x</a></p>',
    );
    expect(html('<p><span class="user-mention" data-user-id="7">@Ann</span></p>')).toBe('<p>@Ann</p>');
  });

  test('Pictures are links, formulas their source, emoji characters, and linked pages have no preview', () => {
    const picture =
      '<div class="message_inline_image"><a href="/user_uploads/2/a/b.png" title="b.png"><img src="/user_uploads/thumbnail/b.png"></a></div>';
    expect(html(picture)).toBe('<p><a href="https://chat.example.org/user_uploads/2/a/b.png">b.png</a></p>');
    const formula =
      '<span class="katex"><span class="katex-mathml"><math><annotation encoding="application/x-tex">a &lt; b</annotation></math></span><span class="katex-html">a</span></span>';
    expect(html(`<p>${formula}!</p>`)).toBe('<p><code>a &lt; b</code>!</p>');
    const emoji =
      '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span><img alt=":own:" class="emoji" src="/user_avatars/2/emoji/own.png" title="own">';
    expect(html(`<p>${emoji}</p>`)).toBe('<p>🎉:own:</p>');
    expect(html('<p>x</p><div class="message_embed"><div class="data-container">Title</div></div>')).toBe('<p>x</p>');
  });

  test('What a spoiler hides is neither in the text nor in the HTML', () => {
    const block =
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p></div><div class="spoiler-content" aria-hidden="true">\n<div><p>He dies</p></div></div></div>';
    expect(html(block)).toContain('The end');
    expect(html(block)).toContain('(Hidden)');
    expect(html(block)).not.toContain('He dies');
    const said = 'Look:\n```spoiler The end\nHe dies\n```\nand more';
    expect(mailedText(said, around)).toBe('Look:\nThe end\n(Hidden)\nand more');
  });

  test('A time is one of the reader, in the text and in the HTML', () => {
    const told = '20. Nov. 2026, 11:00 MEZ';
    expect(html('<p>at <time datetime="2026-11-20T10:00:00Z">2026-11-20T10:00:00Z</time></p>')).toBe(
      `<p>at ${told}</p>`,
    );
    expect(mailedText('at <time:2026-11-20T10:00:00Z>, <time:later>', around)).toBe(`at ${told}, <time:later>`);
  });

  test('What rendering never produces does not pass', () => {
    expect(html('<p onclick="x()">a<script>b</script><a href="/x" onmouseover="y()">c</a></p>')).toBe(
      '<p>ab<a href="https://chat.example.org/x">c</a></p>',
    );
  });
});

test('A mail in German says the same in German, with its link as a button and as text', () => {
  const { subject, text, html } = invitationText(chatWords('de-AT'), {
    organisation: { name: 'Beispiel <b>', url: 'https://chat.example.org' },
    inviter: { fullName: 'Ann', email: 'ann@example.com' },
    link: 'https://chat.example.org/join/abc',
    expiresAt: null,
  });
  expect(subject).toBe('Ann lädt Sie zu Beispiel <b> ein');
  expect(text).toContain('\nhttps://chat.example.org/join/abc\n');
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('<a class="button" href="https://chat.example.org/join/abc">Beispiel &lt;b&gt; beitreten</a>');
  expect(html).not.toContain('Beispiel <b>');
});
