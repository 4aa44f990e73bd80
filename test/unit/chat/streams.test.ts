import { checkRealmChanges } from '../../../src/chat/model/organisation/realm-rules';
import { readSettings, REALM_DEFAULTS, storedSettings } from '../../../src/chat/model/organisation/realm-settings';
import { COLORS, isColor, pickColor } from '../../../src/chat/model/streams/colors';
import { deactivatedName, nameKey } from '../../../src/chat/model/streams/stream';
import { subscribedYou } from '../../../src/chat/model/streams/stream-notices';
import { mayKnow, maySee } from '../../../src/chat/model/streams/stream-policy';

describe('Colours', () => {
  test('the first free one; when all are taken, round and round', () => {
    expect(COLORS).toHaveLength(24);
    expect(pickColor(new Map())).toBe('#76ce90');
    expect(pickColor(new Map([['#76ce90', 1]]))).toBe('#fae589');
    const all = new Map(COLORS.map((color) => [color, 1]));
    expect(pickColor(all)).toBe(COLORS[0]);
    expect(pickColor(all.set('#123456', 2))).toBe(COLORS[2]);
  });

  test('are a hash and three to six hexadecimal digits', () => {
    for (const good of ['#abc', '#ABCDEF', '#12345']) expect(isColor(good)).toBe(true);
    for (const bad of ['abc', '#ab', '#1234567', '#ggg', '#abc\n']) expect(isColor(bad)).toBe(false);
  });
});

describe('Names', () => {
  test('are compared letter by letter, without case', () => {
    expect(nameKey('ΟΔΟΣ')).toBe(nameKey('οδοσ'));
    expect(nameKey('İ')).toBe('i');
    expect(nameKey('é')).not.toBe(nameKey('e'));
  });

  test('of deactivated streams fit their column', () => {
    expect(deactivatedName('x')).toBe('!DEACTIVATED:x');
    expect(Array.from(deactivatedName('🎉'.repeat(60)))).toHaveLength(60);
  });
});

describe('Who sees a stream', () => {
  test.each([
    { role: 'admin', isPrivate: true, isSubscribed: false, sees: false, knows: true },
    { role: 'member', isPrivate: true, isSubscribed: false, sees: false, knows: false },
    { role: 'member', isPrivate: true, isSubscribed: true, sees: true, knows: true },
    { role: 'member', isPrivate: false, isSubscribed: false, sees: true, knows: true },
    { role: 'guest', isPrivate: false, isSubscribed: false, sees: false, knows: false },
    { role: 'guest', isPrivate: false, isSubscribed: true, sees: true, knows: true },
  ] as const)('%p', ({ role, isPrivate, isSubscribed, sees, knows }) => {
    expect(maySee({ role }, { isPrivate }, isSubscribed)).toBe(sees);
    expect(mayKnow({ role }, { isPrivate }, isSubscribed)).toBe(knows);
  });
});

describe('Settings of an organisation', () => {
  test('only what differs is stored', () => {
    expect(storedSettings(REALM_DEFAULTS)).toBe('{}');
    const changed = { ...REALM_DEFAULTS, mandatory_topics: true };
    expect(storedSettings(changed)).toBe('{"mandatory_topics":true}');
    expect(readSettings(storedSettings(changed))).toEqual(changed);
  });

  test('have types', () => {
    expect(() => checkRealmChanges({ settings: { mandatory_topics: 1 as unknown as boolean } })).toThrow(
      'mandatory_topics is not a boolean',
    );
    expect(() => checkRealmChanges({ settings: { waiting_period_threshold: 1.5 } })).toThrow(
      "Bad value for 'waiting_period_threshold': 1.5",
    );
  });
});

test('a letter about many streams lists them by name', () => {
  expect(subscribedYou({ id: 1 as never, fullName: 'Max' }, ['b', 'a'])).toBe(
    '@**Max** subscribed you to the following streams:\n\n* #**a**\n* #**b**',
  );
});
