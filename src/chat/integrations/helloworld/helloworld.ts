/** Hello World: the example integration of the specification. */
import type { Integration } from '../integration';
import { Payload } from '../payload';

export const helloworld: Integration = {
  name: 'helloworld',
  client: 'ZulipHelloWorldWebhook',
  format({ payload }) {
    const body = new Payload(payload);
    const [title, url] = [body.text('featured_title'), body.text('featured_url')];
    const content =
      'Hello! I am happy to be here! :smile:\n' + `The Wikipedia featured article for today is **[${title}](${url})**`;
    return { topic: 'Hello World', content };
  },
};
