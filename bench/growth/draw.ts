/** Draws the stored sweeps into the pictures of the documentation. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSweep } from '../harness/sweep';
import { drawChart } from './chart';
import { chartOf } from './pictures';

/** Returns the written files. */
export function drawSweeps(names: readonly string[], from: string, to: string): string[] {
  return names.flatMap((name) => {
    const result = readSweep(from, name);
    if (result === undefined) return [];
    const file = join(to, `${name}.svg`);
    writeFileSync(file, drawChart(chartOf(result)));
    return [file];
  });
}
