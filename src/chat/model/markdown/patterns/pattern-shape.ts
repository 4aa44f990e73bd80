/** Properties of a pattern's parts that follow from their structure alone. */
import type { Node } from './pattern';

/** Whether it matches the empty string. */
export function mayBeEmpty(node: Node): boolean {
  if (node.kind === 'repeat' && node.least === 0) return true;
  if (node.kind === 'choice') return node.options.some(mayBeEmpty);
  return node.kind !== 'set' && partsOf(node).every(mayBeEmpty);
}

export const holdsRepeat = (node: Node): boolean =>
  (node.kind === 'repeat' && node.most > 1) || partsOf(node).some(holdsRepeat);

function partsOf(node: Node): readonly Node[] {
  if (node.kind === 'sequence') return node.parts;
  if (node.kind === 'choice') return node.options;
  return 'node' in node ? [node.node] : [];
}
