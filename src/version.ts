/** The version of this software, as its package says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package lies one level up from the sources and two up from what they are compiled to. */
const roots = ['..', '../..'].map((path) => join(__dirname, path, 'package.json'));

function readVersion(): string {
  for (const path of roots) {
    try {
      return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
    } catch {
      // Not here; the next one.
    }
  }
  return 'unknown';
}

export const version = readVersion();
