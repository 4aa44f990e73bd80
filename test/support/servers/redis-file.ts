/** The append-only file of a Redis that only this test uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until';

/** Waits until the file contains the text: a Redis that is killed after that has it when it restarts. */
export const untilWritten = (directory: string, text: string): Promise<boolean> =>
  until(() => readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(text)));
