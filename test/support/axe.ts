/** axe-core, run in a page: what it says of how accessible the page is. */
import { readFileSync } from 'node:fs';
import type { TestPage } from './browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe calls serious or worse, of all rules or of those named. */
export async function seriousFindings(page: TestPage, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    type Axe = { run(options: object): Promise<{ violations: Finding[] }> };
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes: [node] }) => `${location.pathname} ${id}: ${node!.failureSummary} ${node!.html.slice(0, 200)}`,
      );
  }, rules);
}
