'use strict';

/** node scripts/make-emoji.js: writes the emoji names that rendering and reactions know, from emojibase's data. */

const fs = require('node:fs');
const path = require('node:path');

/** @type {Record<string, string | string[]>} */
const shortcodes = JSON.parse(fs.readFileSync(require.resolve('emojibase-data/en/shortcodes/iamcal.json'), 'utf8'));

const target = path.join(__dirname, '../src/chat/model/markdown/emoji.json');

/**
 * Where the chat dialect's names differ from the usual ones: the first is canonical, and a name given here is taken
 * away from any other emoji.
 * @type {Record<string, string>}
 */
const DIALECT = {
  '1f600': 'grinning happy',
  '1f603': 'smiley',
  '1f604': 'big_smile',
  '1f601': 'grinning_face_with_smiling_eyes grin',
  '1f606': 'laughing lol',
  '1f602': 'joy tears laughter_tears',
  '263a': 'smile relaxed',
  '1f607': 'innocent halo',
  '1f642': 'slight_smile',
  '1f643': 'upside_down oops',
  '1f60d': 'heart_eyes in_love',
  '1f618': 'heart_kiss blow_a_kiss',
  '1f617': 'kiss',
  '1f48b': 'lipstick_kiss',
  '1f61c': 'stuck_out_tongue_wink joking crazy',
  '1f61d': 'stuck_out_tongue',
  '1f61b': 'mischievous',
  '1f911': 'money_face kaching',
  '1f917': 'hug arms_open',
  '1f913': 'nerd geek',
  '1f921': 'clown',
  '1f920': 'cowboy',
  '1f60f': 'smirk smug',
  '1f614': 'pensive tired',
  '1f615': 'oh_no half_frown concerned confused',
  '1f641': 'frown slight_frown',
  2639: 'sad big_frown',
  '1f62b': 'anguish',
  '1f621': 'rage mad grumpy very_angry',
  '1f636': 'speechless no_mouth blank poker_face',
  '1f610': 'neutral',
  '1f631': 'scream',
  '1f628': 'fear scared shock',
  '1f625': 'exhausted disappointed_relieved stressed',
  '1f644': 'rolling_eyes',
  '1f914': 'thinking',
  '1f925': 'lying',
  '1f910': 'silence quiet hush zip_it lips_are_sealed',
  '1f637': 'cant_talk mask',
  '1f912': 'sick flu face_with_thermometer',
  '1f915': 'hurt head_bandage injured',
  '1f608': 'smiling_devil smiling_imp smiling_face_with_horns',
  '1f47f': 'devil imp angry_devil',
  '1f4a9': 'poop pile_of_poo',
  '1f916': 'robot',
  '1f383': 'jack-o-lantern pumpkin',
  '1f64c': 'raised_hands praise',
  '1f44f': 'clap applause',
  '1f64f': 'pray welcome thank_you namaste',
  '1f44d': '+1 thumbs_up like',
  '1f44e': '-1 thumbs_down',
  '1f44a': 'fist_bump punch',
  '270c': 'peace_sign victory',
  '1f44c': 'ok got_it',
  '1f446': 'point_up this',
  '261d': 'wait_one_second point_of_information asking_a_question',
  '270b': 'hand raised_hand',
  '1f91a': 'stop',
  '1f590': 'high_five palm',
  '1f44b': 'wave hello hi',
  '1f4aa': 'muscle',
  '1f440': 'eyes looking',
  '1f937': 'shrug',
  '1f926': 'face_palm',
  '1f389': 'tada',
  '1f384': 'holiday_tree',
  '1f382': 'birthday',
  '1f381': 'gift present',
  '1f388': 'balloon celebration',
  '1f408': 'cat meow',
  '1f415': 'dog woof',
  '1f407': 'rabbit',
  '1f405': 'tiger',
  '1f42e': 'cow_face',
  '1f404': 'cow',
  '1f437': 'pig_face',
  '1f416': 'pig oink',
  '1f42d': 'mouse_face',
  '1f401': 'mouse',
  '1f436': 'puppy',
  '1f431': 'kitten',
  '1f430': 'bunny',
  '1f42f': 'tiger_cub',
  '1f422': 'turtle tortoise',
  '1f525': 'fire lit hot flame',
  '1f4a5': 'boom bang explosion crash',
  2728: 'sparkles glamour',
  '2b50': 'star',
  '1f31f': 'glowing_star',
  2600: 'sunny',
  '26a1': 'high_voltage zap',
  2744: 'snowflake',
  '26c4': 'frosty',
  '1f680': 'rocket',
  2708: 'airplane',
  '1f6a2': 'boat',
  '1f697': 'car',
  '1f6b2': 'bike bicycle',
  '1f4bb': 'computer laptop',
  '1f4f1': 'mobile_phone smartphone iphone',
  '260e': 'phone telephone landline',
  '1f4a1': 'light_bulb bulb idea',
  '1f527': 'fixing wrench',
  '1f528': 'hammer maintenance handyman',
  '1f512': 'locked',
  '1f513': 'unlocked',
  '1f517': 'link',
  '1f4ce': 'paperclip attachment',
  '1f4dd': 'memo note',
  '1f4c5': 'calendar',
  '1f4c8': 'stock_market chart',
  '1f4e2': 'loudspeaker bullhorn',
  '1f514': 'notifications bell',
  '1f515': 'mute_notifications',
  2764: 'heart love love_you',
  '1f494': 'broken_heart heartache',
  2705: 'check all_good approved',
  2714: 'check_mark',
  '274c': 'cross_mark incorrect wrong',
  2757: 'exclamation',
  2753: 'question',
  '26a0': 'warning caution danger',
  '1f6ab': 'prohibited not_allowed',
  '26d4': 'no_entry wrong_way',
  '1f4af': '100 hundred',
  '1f51d': 'top',
  '2b06': 'up north',
  '2b07': 'down south',
  '27a1': 'right east',
  '2b05': 'left west',
  2795: 'plus add',
  2796: 'minus subtract',
  2797: 'division divide',
  '1f947': 'gold number_one first_place',
  '1f948': 'silver',
  '1f949': 'bronze',
  '1f3c6': 'trophy winner',
  2615: 'coffee',
  '1f37a': 'beer',
  '1f37b': 'beers cheers',
  '1f377': 'wine',
  '1f355': 'pizza',
  '1f923': 'rolling_on_the_floor_laughing rofl',
  '1f1ea-1f1fa': 'european_union',
};

const codeOf = (/** @type {string} */ hexcode) =>
  hexcode
    .toLowerCase()
    .split('-')
    .filter((part) => part !== 'fe0f')
    .join('-');

/** Joined figures and skin tones are no emoji of their own in this dialect. */
const isKnown = (/** @type {string} */ code) => !/200d|1f3f[b-f]/.test(code);

const taken = new Set(Object.values(DIALECT).flatMap((names) => names.split(' ')));
/** @type {Record<string, string>} */
const table = {};
for (const [hexcode, names] of Object.entries(shortcodes)) {
  const code = codeOf(hexcode);
  if (!isKnown(code)) continue;
  const own = (DIALECT[code] ?? '').split(' ').filter((name) => name !== '');
  const usual = [names].flat().filter((name) => !taken.has(name) && !name.startsWith('skin-tone'));
  const all = [...new Set([...own, ...usual])];
  if (all.length > 0) table[code] = all.join(' ');
}

const sorted = Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(target, `${JSON.stringify(sorted, null, 2)}\n`);
console.log(`${Object.keys(sorted).length} emoji, ${fs.statSync(target).size} bytes`);
