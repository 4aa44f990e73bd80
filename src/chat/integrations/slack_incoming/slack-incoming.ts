/** Slack-compatible incoming webhook: for programs that can post to Slack. */
import { type Integration, missingKey } from '../integration';
import { lookUp, Payload } from '../payload';
import { joined, secondOf } from '../text';
import { linked, markdownOf, picture, richText, unescaped } from './mrkdwn';

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  client: 'ZulipSlackIncomingWebhook',
  acceptsForms: true,
  format({ payload }) {
    const body = new Payload(payload);
    // With blocks, the text is only for clients that cannot show them.
    const said = joined(blocksOf(body), '\n\n') || plainText(body);
    const content = joined([said, ...body.presentIn('attachments').map(attachmentText)], '\n\n');
    if (content === '') return nothing(body);
    const channel = body.textOr('channel', '').replace(/^[#@]/, '');
    return { topic: channel === '' ? '(no topic)' : channel, content };
  },
};

/** Programs send messages in which everything is null, which Zulip ignores. Without any of the keys it is no message. */
function nothing(body: Payload): null {
  const keys = body.keys();
  if (!['text', 'blocks', 'attachments'].some((key) => keys.includes(key))) throw missingKey('text');
  return null;
}

/** Prefixed with the sender's icon, the only sender data that is kept. */
function plainText(body: Payload): string {
  const [icon, text] = [body.textOr('icon_emoji', ''), markdownOf(body.textOr('text', '')).trim()];
  return icon === '' || text === '' ? text : `${icon} ${text}`;
}

/**
 * Attachments are older than blocks, and still what most programs send. All fields are optional or null. The parts are in
 * the order in which Slack shows them. The fallback is for clients that cannot show any.
 */
function attachmentText(part: Payload): string {
  const read = (key: string): string => part.textOr(key, '');
  const parts = [
    markdownOf(read('pretext')),
    linked(unescaped(read('author_name')), read('author_link')),
    heading(linked(unescaped(read('title')), read('title_link'))),
    markdownOf(read('text')),
    fieldsText(part),
    ...blocksOf(part),
    picture('', read('image_url') || read('thumb_url')),
    unescaped(read('footer')),
    timeText(read('ts')),
  ].map((text) => text.trim());
  return joined(parts, '\n\n') || unescaped(read('fallback'));
}

function fieldsText(part: Payload): string {
  const fields = part.presentIn('fields').map((field) => {
    const title = unescaped(field.textOr('title', '')).trim();
    return joined([title === '' ? '' : `**${title}**`, markdownOf(field.textOr('value', ''))], ': ');
  });
  return joined(fields, '\n');
}

const timeText = (seconds: string): string => (Number(seconds) === 0 ? '' : secondOf(seconds));

/** Slack's layout blocks. Buttons and other controls have no counterpart in a message. */
const blocksOf = (part: Payload): string[] =>
  part.presentIn('blocks').map((block) => lookUp(BLOCKS, block.textOr('type', ''))?.(block).trim() ?? '');

const BLOCKS: Readonly<Record<string, (block: Payload) => string>> = {
  divider: () => '----',
  header: (block) => heading(textOf(block, 'text')),
  section(block) {
    const fields = block.presentIn('fields').map((field) => formatted(field));
    return joined([textOf(block, 'text', markdownOf), ...fields, image(block.objectOr('accessory'))], '\n');
  },
  image,
  context(block) {
    const elements = block.presentIn('elements').map((element) => image(element) || formatted(element));
    return joined(elements, '\n');
  },
  markdown: (block) => textOf(block, 'text'),
  rich_text: richText,
  video: (block) => linked(textOf(block, 'title'), block.textOr('title_url', block.textOr('video_url', ''))),
};

const heading = (text: string): string => (text === '' ? '' : `## ${text}`);

/** A link with the title, or else the alternative text. */
function image(block: Payload): string {
  if (block.textOr('type', '') !== 'image') return '';
  return picture(textOf(block, 'title') || block.textOr('alt_text', 'image'), block.textOr('image_url', ''));
}

type Read = (text: string) => string;

/** A text object. Some programs write its text instead. */
function textOf(block: Payload, key: string, read: Read = unescaped): string {
  if (!block.has(key)) return '';
  return block.isText(key) ? read(block.text(key)) : formatted(block.object(key), read);
}

/** A text object that says itself whether it has markup. */
function formatted(text: Payload, read: Read = markdownOf): string {
  const words = text.textOr('text', '');
  return text.textOr('type', '') === 'plain_text' ? unescaped(words) : read(words);
}
