/** Properties of a pattern's parts that follow from their structure alone. */
import type { Node } from './pattern';

/** Whether it matches the empty string. */
export function mayBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'repeat':
      return node.least === 0 || mayBeEmpty(node.node);
    case 'group':
      return mayBeEmpty(node.node);
    case 'sequence':
      return node.parts.every(mayBeEmpty);
    case 'choice':
      return node.options.some(mayBeEmpty);
    case 'set':
      return false;
    case 'assert':
      return true;
  }
}

/** Whether it contains a repetition. */
export function holdsRepeat(node: Node): boolean {
  switch (node.kind) {
    case 'repeat':
      return node.most > 1 || holdsRepeat(node.node);
    case 'group':
      return holdsRepeat(node.node);
    case 'sequence':
      return node.parts.some(holdsRepeat);
    case 'choice':
      return node.options.some(holdsRepeat);
    case 'set':
    case 'assert':
      return false;
  }
}
