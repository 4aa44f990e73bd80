/** axe-core, run in a page: checks how accessible the page is. */
import { readFileSync } from 'node:fs';
import type { TestPage } from './browser';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

export interface Looking {
  /** All rules if none is named. */
  readonly rules?: readonly string[] | undefined;
  /** Only below this selector: the rest of the page was checked before. */
  readonly within?: string;
  /** Whether a menu is open. It lies outside of all landmarks, because it belongs to its button. */
  readonly hasMenu?: boolean;
}

/** The structure of a page does not depend on its colours: in the second colour scheme only these rules can differ. */
export const COLOURS: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Our pages have no frames, and only one rule reads style sheets, about the orientation of screens. */
const QUICK = { resultTypes: ['violations'], preload: false, iframes: false, elementRef: false, selectors: false };

const NO_REGIONS = { rules: { region: { enabled: false } } };

/** All that axe finds, however small, by its rules and by what it calls best practices. */
export async function axeFindings(page: TestPage, { rules, within, hasMenu = false }: Looking = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = { ...QUICK, ...(rules ? { runOnly: rules } : {}), ...(hasMenu ? NO_REGIONS : {}) };
  return page.evaluate(
    async ([where, wanted]) => {
      type Axe = { run(where: unknown, options: object): Promise<{ violations: Finding[] }> };
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(where ?? document, wanted);
      return violations.map(
        ({ id, nodes: [node] }) => `${location.pathname} ${id}: ${node!.failureSummary} ${node!.html.slice(0, 200)}`,
      );
    },
    [within, options] as const,
  );
}
