import {
  changedSettings,
  checkRealmChanges,
  readSettings,
  REALM_DEFAULTS,
  storedSettings,
} from '../../../src/chat/model/organisation/realm-settings';
import { COLORS, isColor, pickColor } from '../../../src/chat/model/streams/subscription';
import { deactivatedName, nameKey } from '../../../src/chat/model/streams/stream';
import { chatWords } from '../../../src/chat/model/texts/chat-words';
import { subscribedYou } from '../../../src/chat/commands/streams/notify-about-streams';
import { mayKnow, maySee } from '../../../src/chat/model/streams/stream-policy';

describe('Colours', () => {
  test('A new stream gets the first free colour, and colours repeat when all are taken', () => {
    expect(COLORS).toHaveLength(24);
    expect(pickColor(new Map())).toBe('#76ce90');
    expect(pickColor(new Map([['#76ce90', 1]]))).toBe('#fae589');
    const all = new Map(COLORS.map((color) => [color, 1]));
    expect(pickColor(all)).toBe(COLORS[0]);
    expect(pickColor(all.set('#123456', 2))).toBe(COLORS[2]);
  });

  test('A colour is a hash sign and three to six hexadecimal digits', () => {
    for (const good of ['#abc', '#ABCDEF', '#12345']) expect(isColor(good)).toBe(true);
    for (const bad of ['abc', '#ab', '#1234567', '#ggg', '#abc\n']) expect(isColor(bad)).toBe(false);
  });
});

describe('Names', () => {
  test('Stream names are compared letter by letter, ignoring case', () => {
    expect(nameKey('ΟΔΟΣ')).toBe(nameKey('οδοσ'));
    expect(nameKey('İ')).toBe('i');
    expect(nameKey('é')).not.toBe(nameKey('e'));
  });

  test('The name of a deactivated stream fits its column', () => {
    expect(deactivatedName('x')).toBe('!DEACTIVATED:x');
    expect(Array.from(deactivatedName('🎉'.repeat(60)))).toHaveLength(60);
  });
});

describe('Stream visibility', () => {
  test.each([
    { role: 'admin', isPrivate: true, isSubscribed: false, sees: false, knows: true },
    { role: 'member', isPrivate: true, isSubscribed: false, sees: false, knows: false },
    { role: 'member', isPrivate: true, isSubscribed: true, sees: true, knows: true },
    { role: 'member', isPrivate: false, isSubscribed: false, sees: true, knows: true },
    { role: 'guest', isPrivate: false, isSubscribed: false, sees: false, knows: false },
    { role: 'guest', isPrivate: false, isSubscribed: true, sees: true, knows: true },
  ] as const)(
    'Role, privacy and subscription decide who sees a stream and who knows of it: %p',
    ({ role, isPrivate, isSubscribed, sees, knows }) => {
      expect(maySee({ role }, { isPrivate }, isSubscribed)).toBe(sees);
      expect(mayKnow({ role }, { isPrivate }, isSubscribed)).toBe(knows);
    },
  );
});

describe('Settings of an organisation', () => {
  test('Only settings that differ from their defaults are stored', () => {
    expect(storedSettings(REALM_DEFAULTS)).toBe('{}');
    const changed = { ...REALM_DEFAULTS, mandatory_topics: true };
    expect(storedSettings(changed)).toBe('{"mandatory_topics":true}');
    expect(readSettings(storedSettings(changed))).toEqual(changed);
  });

  test('Of the two settings of invitations, each follows the other', () => {
    const both = ({ invite_by_admins_only: isStrict, invite_to_realm_policy: policy }: typeof REALM_DEFAULTS) => [
      isStrict,
      policy,
    ];
    const moderators = changedSettings(REALM_DEFAULTS, { invite_to_realm_policy: 4 });
    expect(both(moderators)).toEqual([true, 4]);
    expect(both(changedSettings(moderators, { invite_by_admins_only: true }))).toEqual([true, 4]);
    expect(both(changedSettings(moderators, { invite_by_admins_only: false }))).toEqual([false, 1]);
    expect(both(changedSettings(REALM_DEFAULTS, { invite_by_admins_only: true }))).toEqual([true, 2]);
    // As a release writes them that knows the older one alone.
    expect(both(readSettings('{"invite_by_admins_only":true}'))).toEqual([true, 2]);
    expect(both(readSettings('{"invite_to_realm_policy":6}'))).toEqual([false, 1]);
  });

  test('A setting of the wrong type is refused', () => {
    expect(() => checkRealmChanges({ settings: { mandatory_topics: 1 as unknown as boolean } })).toThrow(
      'mandatory_topics is not a boolean',
    );
    expect(() => checkRealmChanges({ settings: { waiting_period_threshold: 1.5 } })).toThrow(
      "Bad value for 'waiting_period_threshold': 1.5",
    );
  });
});

test('The message about several new subscriptions lists the streams by name', () => {
  expect(subscribedYou(chatWords('en'), { id: 1 as never, fullName: 'Max' }, ['b', 'a'])).toBe(
    '@**Max** subscribed you to the following streams:\n\n* #**a**\n* #**b**',
  );
});
