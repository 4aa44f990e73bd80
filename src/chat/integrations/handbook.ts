/** The page of each integration, for /docs: what its folder's README says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from './index';

export const integrationHandbook = {
  name: 'integrations',
  title: 'Integrations',
  pages: [...integrations.keys()].map((name) => ({
    name,
    markdown: () => readFileSync(join(__dirname, name, 'README.md'), 'utf8'),
  })),
};
