/** Travis CI: finished builds; those of pull requests only if the URL asks for them. */
import type { Integration } from '../integration';
import { lookUp, Payload } from '../payload';

const SYMBOLS: Readonly<Record<string, string>> = {
  Passed: ':thumbs_up:',
  Fixed: ':thumbs_up:',
  Failed: ':thumbs_down:',
  Broken: ':thumbs_down:',
  'Still Failing': ':thumbs_down:',
  Errored: ':thumbs_down:',
  Canceled: ':thumbs_down:',
  Pending: ':counterclockwise:',
};

export const travis: Integration = {
  name: 'travis',
  client: 'ZulipTravisWebhook',
  acceptsForms: true,
  choices: ['ignore_pull_requests'],
  format({ payload, event }) {
    const body = new Payload(payload);
    // The author of a pull request sees the build on its page.
    const isQuiet = new URLSearchParams(event).get('ignore_pull_requests') !== 'false';
    if (isQuiet && body.textOr('type', 'push') === 'pull_request') return null;
    const status = body.text('status_message');
    const symbol = lookUp(SYMBOLS, status) ?? `(No emoji specified for status '${status}'.)`;
    const details = `[changes](${body.text('compare_url')}), [build log](${body.text('build_url')})`;
    return {
      topic: 'builds',
      content: `Author: ${body.text('author_name')}\nBuild status: ${status} ${symbol}\nDetails: ${details}`,
    };
  },
};
