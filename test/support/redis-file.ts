/** The append-only file of a Redis that a test has for itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until';

/** Waits until the file holds the text: a Redis that is killed from then on has it when it comes back. */
export const untilWritten = (directory: string, text: string): Promise<boolean> =>
  until(() => readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(text)));
