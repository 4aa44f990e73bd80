// The releases of Node that npm run test:nodes runs the tests on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { majorOf, NODE_RELEASES } from '../../../scripts/lib/programs/node-releases';

const root = join(__dirname, '../../..');
const majors = NODE_RELEASES.map(({ version }) => majorOf(version));

describe('Node releases', () => {
  test('The tests run on one release of each supported line, pinned by a checksum for both processors', () => {
    expect(majors).toEqual([22, 24, 26]);
    for (const { integrity } of NODE_RELEASES) {
      expect(Object.keys(integrity).sort()).toEqual(['arm64', 'x64']);
      for (const checksum of Object.values(integrity)) expect(checksum).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });

  test('The Node release of the image is among those that the tests run on', () => {
    const [, major] = /^FROM node:(\d+)-/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
    expect(majors).toContain(Number(major));
  });
});
