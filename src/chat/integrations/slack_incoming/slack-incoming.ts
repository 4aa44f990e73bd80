/** Slack-compatible incoming webhook: for programs that can post to Slack. */
import { missingKey, type Integration } from '../integration';
import { Payload } from '../payload';
import { attachmentText } from './attachments';
import { blocksOf } from './blocks';
import { markdownOf } from './mrkdwn';

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  client: 'ZulipSlackIncomingWebhook',
  acceptsForms: true,
  format({ payload }) {
    const body = new Payload(payload);
    const blocks = withWords(blocksOf(body));
    // With blocks, the text is only for clients that cannot show them.
    const said = blocks.length > 0 ? blocks : [plainText(body)];
    const parts = withWords([...said, ...body.presentIn('attachments').map(attachmentText)]);
    if (parts.length === 0) return nothing(body);
    const channel = body.textOr('channel', '').replace(/^[#@]/, '');
    return { topic: channel === '' ? '(no topic)' : channel, content: parts.join('\n\n') };
  },
};

const withWords = (parts: readonly string[]): string[] => parts.filter((part) => part !== '');

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
