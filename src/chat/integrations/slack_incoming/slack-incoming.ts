/** Slack-compatible incoming webhook: for programs that can post to Slack. */
import type { Integration } from '../integration';
import { Payload } from '../payload';

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  client: 'ZulipSlackIncomingWebhook',
  acceptsForms: true,
  format({ payload }) {
    const body = new Payload(payload);
    const parts = [
      ...body.listOr('blocks').map(block),
      ...(body.has('blocks') ? [] : [plainText(body)]),
      ...body.listOr('attachments').map(attachment),
    ].filter((part) => part !== '');
    // Without any of the three there is no message. Slack refuses that too.
    if (parts.length === 0) body.text('text');
    const channel = body.textOr('channel', '').replace(/^[#@]/, '');
    return { topic: channel === '' ? '(no topic)' : channel, content: parts.join('\n\n') };
  },
};

/** Prefixed with the sender's icon, the only sender data that is kept. */
function plainText(body: Payload): string {
  const [icon, text] = [body.textOr('icon_emoji', ''), markdownOf(body.textOr('text', ''))];
  return icon === '' || text === '' ? text : `${icon} ${text}`;
}

/** Converts Slack's *bold*, _emphasis_, ~strikethrough~ and <url|text>. */
function markdownOf(text: string): string {
  return text
    .replace(/<((?:https?|mailto):[^|<>\s]+)\|([^<>]+)>/g, '[$2]($1)')
    .replace(/<((?:https?|mailto):[^|<>\s]+)>/g, '$1')
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replace(/(^|[\s(])_([^_\n]+)_(?=$|[\s).,!?:;])/g, '$1*$2*')
    .replace(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,!?:;])/g, '$1~~$2~~');
}

function block(part: Payload): string {
  switch (part.text('type')) {
    case 'divider':
      return '----';
    case 'header':
      return `## ${part.object('text').text('text')}`;
    case 'section': {
      const fields = part.listOr('fields').map((field) => markdownOf(field.text('text')));
      return [sectionText(part), ...fields, picture(part.objectOr('accessory'))]
        .filter((line) => line !== '')
        .join('\n');
    }
    case 'image':
      return picture(part);
    case 'context':
      return part
        .list('elements')
        .filter((element) => element.has('text'))
        .map((element) => markdownOf(element.text('text')))
        .join('\n');
    default:
      // Buttons have no counterpart in a message.
      return '';
  }
}

/** Some programs omit the object around the text. */
function sectionText(part: Payload): string {
  if (!part.has('text')) return '';
  return markdownOf(part.isText('text') ? part.text('text') : part.object('text').text('text'));
}

/** A link with the alternative text. */
function picture(part: Payload): string {
  const url = part.textOr('type', '') === 'image' ? part.textOr('image_url', '') : '';
  return url === '' ? '' : `[${part.textOr('alt_text', 'image')}](${url})`;
}

function attachment(part: Payload): string {
  const title = part.textOr('title', '');
  const heading = title === '' ? '' : `## ${part.has('title_link') ? `[${title}](${part.text('title_link')})` : title}`;
  const fields = part.has('fields')
    ? part.list('fields').map((field) => `*${field.textOr('title', '')}*: ${markdownOf(field.textOr('value', ''))}`)
    : [];
  const text = markdownOf(part.textOr('text', title === '' ? part.textOr('fallback', '') : ''));
  return [markdownOf(part.textOr('pretext', '')), heading, text, ...fields].filter((line) => line !== '').join('\n\n');
}
