/** JSON: shows any payload as it is, for services without an integration. */
import type { Integration } from '../integration';

export const json: Integration = {
  name: 'json',
  client: 'ZulipJSONWebhook',
  format: ({ payload }) => ({ topic: 'JSON', content: `\`\`\`json\n${JSON.stringify(payload, null, 2)}\n\`\`\`` }),
};
