/** What an XMPP client of the benchmarks hears. */
import { stanzaCounter } from '../../../bench/load/occupant';

const STANZA = "<message type='groupchat'><body>words</body></message>";

it('counts every message of one arrival', () => {
  expect(stanzaCounter()(Buffer.from(STANZA.repeat(3)))).toBe(3);
});

it('counts a message once wherever its bytes were cut apart', () => {
  const bytes = Buffer.from(STANZA.repeat(2));
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const count = stanzaCounter();
    expect(count(bytes.subarray(0, cut)) + count(bytes.subarray(cut))).toBe(2);
  }
});

it('counts a message that arrives byte by byte', () => {
  const count = stanzaCounter();
  expect([...Buffer.from(STANZA)].reduce((sum, byte) => sum + count(Buffer.from([byte])), 0)).toBe(1);
});

it('does not count what is no message', () => {
  expect(stanzaCounter()(Buffer.from('<presence/><iq></iq><body>message</body>'))).toBe(0);
});
