/** What an XMPP client of the benchmarks receives. */
import { stanzaCounter } from '../../../bench/load/occupant';

const STANZA = "<message type='groupchat'><body>words</body></message>";

it('The counter of stanzas counts every message of one chunk', () => {
  expect(stanzaCounter()(Buffer.from(STANZA.repeat(3)))).toBe(3);
});

it('The counter of stanzas counts a message once wherever its bytes were split', () => {
  const bytes = Buffer.from(STANZA.repeat(2));
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const count = stanzaCounter();
    expect(count(bytes.subarray(0, cut)) + count(bytes.subarray(cut))).toBe(2);
  }
});

it('The counter of stanzas counts a message that arrives byte by byte', () => {
  const count = stanzaCounter();
  expect([...Buffer.from(STANZA)].reduce((sum, byte) => sum + count(Buffer.from([byte])), 0)).toBe(1);
});

it('The counter of stanzas does not count other stanzas', () => {
  expect(stanzaCounter()(Buffer.from('<presence/><iq></iq><body>message</body>'))).toBe(0);
});
