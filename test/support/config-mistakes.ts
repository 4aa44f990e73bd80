/** What is wrong with an environment, in the program's own words. */
import { ConfigMistakes, loadConfig } from '../../config';

export function mistakesIn(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigMistakes) return error.mistakes;
    throw error;
  }
  return [];
}
