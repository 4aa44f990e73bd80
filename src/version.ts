/** The software version, read from package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** package.json lies one level above the sources and two levels above the compiled files. */
const roots = ['..', '../..'].map((path) => join(__dirname, path, 'package.json'));

function readVersion(): string {
  for (const path of roots) {
    try {
      return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
    } catch {
      // Not here; try the next path.
    }
  }
  return 'unknown';
}

export const version = readVersion();
