/** Slack-compatible incoming webhook: for whatever already knows how to post to Slack. */
import type { Integration } from '../integration';
import { Payload } from '../payload';

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  client: 'ZulipSlackIncomingWebhook',
  acceptsForms: true,
  format({ payload }) {
    const body = new Payload(payload);
    const parts = [
      ...(body.has('blocks') ? body.list('blocks').map(block) : []),
      ...(body.has('blocks') || !body.has('text') ? [] : [markdownOf(body.text('text'))]),
      ...(body.has('attachments') ? body.list('attachments').map(attachment) : []),
    ].filter((part) => part !== '');
    // Without any of the three there is nothing to say, and Slack says so too.
    if (parts.length === 0) body.text('text');
    const channel = body.textOr('channel', '').replace(/^[#@]/, '');
    return { topic: channel === '' ? '(no topic)' : channel, content: parts.join('\n\n') };
  },
};

/** Slack writes *bold*, ~gone~ and <address|words>. */
function markdownOf(text: string): string {
  return text
    .replace(/<((?:https?|mailto):[^|<>\s]+)\|([^<>]+)>/g, '[$2]($1)')
    .replace(/<((?:https?|mailto):[^|<>\s]+)>/g, '$1')
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replace(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,!?:;])/g, '$1~~$2~~');
}

function block(part: Payload): string {
  switch (part.text('type')) {
    case 'divider':
      return '----';
    case 'header':
      return `## ${part.object('text').text('text')}`;
    case 'section': {
      const text = part.has('text') ? markdownOf(part.object('text').text('text')) : '';
      const fields = part.has('fields') ? part.list('fields').map((field) => markdownOf(field.text('text'))) : [];
      return [text, ...fields].filter((line) => line !== '').join('\n');
    }
    case 'context':
      return part
        .list('elements')
        .filter((element) => element.has('text'))
        .map((element) => markdownOf(element.text('text')))
        .join('\n');
    default:
      // Buttons and pictures have no counterpart in a message.
      return '';
  }
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
