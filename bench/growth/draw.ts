/** Draws the stored sweeps into the documents' pictures. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSweep } from '../harness/sweep';
import { drawChart } from './chart';
import { chartOf } from './pictures';

/** Says which files it wrote. */
export function drawSweeps(names: readonly string[], from: string, to: string): string[] {
  return names.flatMap((name) => {
    const result = readSweep(from, name);
    if (result === undefined) return [];
    const file = join(to, `${name}.svg`);
    writeFileSync(file, drawChart(chartOf(result)));
    return [file];
  });
}
