/** Sample messages of the demo organisation, so that a new server does not look empty. */

import type { DemoMessage, DemoStream } from './demo-data';

/** In addition to the streams that tutorials and tests rely on. Guests are in none of them. */
export const DEMO_STREAMS: readonly DemoStream[] = [
  { name: 'engineering', description: 'How we build it, and what broke', color: '#4f8de4' },
  { name: 'design', description: 'Screens, words and colours', color: '#c06fd1' },
  { name: 'support', description: 'What customers ask', color: '#e79ab5' },
  { name: 'random', description: 'Lunch, cats and everything else', color: '#f4ae55' },
];

const DAY = 24 * 60;
const COMMIT = 'https://git.example.com/telephony/commit';

export const DEMO_STORY: readonly DemoMessage[] = [
  {
    minutesAgo: 3 * DAY + 90,
    by: 'owner',
    to: ['announcements', 'welcome'],
    content:
      'Welcome, everybody! This is where we talk from now on.\n\n* Every conversation has a **topic**: pick one that exists, or begin another.\n* Type `?` to see the keyboard shortcuts, or press `Ctrl` `K` to go anywhere.\n* Nobody has to read everything: mute what is not for you.',
    reactions: { tada: ['member', 'other', 'guest'], wave: ['other'] },
  },
  {
    minutesAgo: 2 * DAY + 300,
    by: 'other',
    to: ['design', 'extensions page'],
    content:
      'A first sketch of the extensions page. Green is registered, amber is a mobile that sleeps, grey is offline. {picture}',
    picture: 'extensions',
    reactions: { heart_eyes: ['member'], '+1': ['owner'] },
  },
  {
    minutesAgo: 2 * DAY + 291,
    by: 'member',
    to: ['design', 'extensions page'],
    content: 'I like it. Colour alone will not do, though: about one in twelve men would not see the difference.',
  },
  {
    minutesAgo: 2 * DAY + 288,
    by: 'other',
    to: ['design', 'extensions page'],
    content: 'True. I will give each state **a shape and a word** as well.',
    reactions: { '+1': ['member', 'owner'] },
  },
  {
    minutesAgo: DAY + 420,
    by: 'webhook-bot',
    to: ['engineering', 'telephony / main'],
    content: `Max pushed 2 commits to branch main.\n\n* Retry carrier webhooks with a growing pause ([4f0c1d2](${COMMIT}/4f0c1d2))\n* Add a test for a carrier that answers 502 ([9b7e6aa](${COMMIT}/9b7e6aa))`,
  },
  {
    minutesAgo: DAY + 416,
    by: 'webhook-bot',
    to: ['engineering', 'telephony / main'],
    content: 'Build [#1204](https://ci.example.com/1204) of main **passed** in 6 minutes :check_mark:',
    reactions: { rocket: ['member'] },
  },
  {
    minutesAgo: DAY + 200,
    by: 'guest',
    to: ['general', 'porting my number'],
    content: 'Hi! Our number is to move to you on Monday. Is there anything that I have to do on the day?',
  },
  {
    minutesAgo: DAY + 195,
    by: 'owner',
    to: ['general', 'porting my number'],
    content:
      'Hello @**Gus Guest**, good to have you here. Nothing at all:\n\n1. at 06:00 your old carrier lets the number go,\n2. at 06:05 we route it to your extension `101`,\n3. you get a text message when it rings for the first time.',
  },
  {
    minutesAgo: DAY + 190,
    by: 'guest',
    to: ['general', 'porting my number'],
    content: 'That is easier than I feared. Thanks!',
    reactions: { smile: ['owner', 'other'] },
  },
  {
    minutesAgo: 330,
    by: 'webhook-bot',
    to: ['engineering', 'alerts'],
    content:
      '**Firing**: call setup is slow on `trunk-2` (median 335 ms, limit 300 ms)\n\n| trunk | calls | median |\n|---|---|---|\n| trunk-1 | 1,204 | 152 ms |\n| trunk-2 | 987 | 335 ms |',
  },
  {
    minutesAgo: 324,
    by: 'member',
    to: ['engineering', 'alerts'],
    content:
      'Looking. `trunk-2` still resolves the carrier’s name for every call:\n\n```python\ndef gateway_for(call):\n    # One lookup a call: 180 ms when the resolver is far away.\n    return resolve(call.carrier.host)\n```',
  },
  {
    minutesAgo: 310,
    by: 'other',
    to: ['engineering', 'alerts'],
    content: '> One lookup a call\n\nCan we keep the answer for as long as its TTL says?',
  },
  {
    minutesAgo: 250,
    by: 'member',
    to: ['engineering', 'alerts'],
    content: 'Done, and it is out. Thanks, @**Ola Other**! {picture}',
    picture: 'ringing',
    reactions: { tada: ['owner', 'other'], zap: ['owner'] },
  },
  {
    minutesAgo: 246,
    by: 'webhook-bot',
    to: ['engineering', 'alerts'],
    content: '**Resolved**: call setup on `trunk-2` (median 150 ms) :check_mark:',
  },
  {
    minutesAgo: 180,
    by: 'other',
    to: ['support', 'voicemail by mail'],
    content:
      'Three customers asked this week whether voicemail can come **by mail**. We have it; they do not find it. Shall we say so in the welcome letter?',
  },
  {
    minutesAgo: 171,
    by: 'owner',
    to: ['support', 'voicemail by mail'],
    content: 'Yes, please. And a line in the portal, next to the greeting.',
  },
  { minutesAgo: 120, by: 'owner', to: ['general', 'release 2.4'], content: '/todo' },
  {
    minutesAgo: 95,
    by: 'other',
    to: ['random', 'lunch'],
    content: '/poll Where do we eat on Friday?\nThe noodle place\nPizza by the river\nSandwiches in the park',
    votes: [
      ['owner', 2],
      ['member', 0],
      ['other', 2],
      ['helper-bot', 1],
    ],
  },
  { minutesAgo: 92, by: 'member', to: ['random', 'lunch'], content: 'Only if it does not rain :umbrella_with_rain:' },
  {
    minutesAgo: 60,
    by: 'owner',
    to: { people: ['member'] },
    content: 'Do you have ten minutes before the release? I would like to go through the list with you.',
  },
  { minutesAgo: 57, by: 'member', to: { people: ['owner'] }, content: 'Sure. At three?' },
  {
    minutesAgo: 30,
    by: 'helper-bot',
    to: ['general', 'release 2.4'],
    content: 'Reminder: release 2.4 goes out **today at 16:00**. The notes are in #**announcements>release 2.4**.',
  },
  {
    minutesAgo: 24,
    by: 'owner',
    to: ['announcements', 'release 2.4'],
    content:
      'Release 2.4 is nearly there:\n\n* phones ring in half the time,\n* voicemail by mail is one click away,\n* the extensions page has shapes and words as well as colours.\n\n@**all** please try it before 16:00 and say in #**general>release 2.4** what you find.',
    reactions: { rocket: ['member', 'other'] },
    isUnread: true,
  },
  {
    minutesAgo: 12,
    by: 'other',
    to: ['general', 'release 2.4'],
    content:
      'I tried it with the phone in the meeting room: it rings at once. @**Max Member** @**Olive Owner** well done!',
    isUnread: true,
  },
  {
    minutesAgo: 5,
    by: 'member',
    to: { people: ['owner', 'other'] },
    content: 'Cake is in the kitchen. :cake:',
    isUnread: true,
  },
];

/** The tasks of the sample to-do list. */
export const DEMO_TASKS: readonly { readonly task: string; readonly desc: string; readonly isDone: boolean }[] = [
  { task: 'Write the release notes', desc: '', isDone: true },
  { task: 'Try it with three phones', desc: 'desk, soft phone, mobile', isDone: true },
  { task: 'Tell support what is new', desc: '', isDone: false },
  { task: 'Bake a cake', desc: 'Max', isDone: false },
];
